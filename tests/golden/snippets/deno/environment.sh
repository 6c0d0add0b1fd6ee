export HTTP_PROXY=http://127.0.0.1:8686
export http_proxy=http://127.0.0.1:8686
export HTTPS_PROXY=http://127.0.0.1:8686
export https_proxy=http://127.0.0.1:8686
export NO_PROXY=''
export no_proxy=''
export DENO_CERT='/home/ada/Ada'\''s files/weir-ca.pem'
export ALL_PROXY=''
export all_proxy=''
deno eval 'console.log((await fetch("https://example.com/anything?a=1&b=2")).status)'
