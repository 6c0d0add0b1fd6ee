set -gx HTTP_PROXY http://127.0.0.1:8686
set -gx http_proxy http://127.0.0.1:8686
set -gx HTTPS_PROXY http://127.0.0.1:8686
set -gx https_proxy http://127.0.0.1:8686
set -gx NO_PROXY ''
set -gx no_proxy ''
set -gx NODE_USE_ENV_PROXY 1
set -gx NODE_EXTRA_CA_CERTS '/home/ada/Ada\'s files/weir-ca.pem'
node -e 'fetch("https://example.com/anything?a=1&b=2").then((response) => console.log(response.status))'
