export HTTP_PROXY=http://127.0.0.1:8686
export http_proxy=http://127.0.0.1:8686
export HTTPS_PROXY=http://127.0.0.1:8686
export https_proxy=http://127.0.0.1:8686
export NO_PROXY=''
export no_proxy=''
export NODE_USE_ENV_PROXY=1
export NODE_EXTRA_CA_CERTS='/home/ada/Ada'\''s files/weir-ca.pem'
node -e 'fetch("https://example.com/anything?a=1&b=2").then((response) => console.log(response.status))'
