set -gx HTTP_PROXY http://127.0.0.1:8686
set -gx http_proxy http://127.0.0.1:8686
set -gx HTTPS_PROXY http://127.0.0.1:8686
set -gx https_proxy http://127.0.0.1:8686
set -gx NO_PROXY ''
set -gx no_proxy ''
set -gx DENO_CERT '/home/ada/Ada\'s files/weir-ca.pem'
set -gx ALL_PROXY ''
set -gx all_proxy ''
deno eval 'console.log((await fetch("https://example.com/anything?a=1&b=2")).status)'
