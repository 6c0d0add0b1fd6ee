set "HTTP_PROXY=http://127.0.0.1:8686"
set "http_proxy=http://127.0.0.1:8686"
set "HTTPS_PROXY=http://127.0.0.1:8686"
set "https_proxy=http://127.0.0.1:8686"
set "NO_PROXY="
set "no_proxy="
set "NODE_USE_ENV_PROXY=1"
set "NODE_EXTRA_CA_CERTS=/home/ada/Ada's files/weir-ca.pem"
npx next dev
