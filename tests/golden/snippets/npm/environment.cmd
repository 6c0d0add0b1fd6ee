set "HTTP_PROXY=http://127.0.0.1:8686"
set "http_proxy=http://127.0.0.1:8686"
set "HTTPS_PROXY=http://127.0.0.1:8686"
set "https_proxy=http://127.0.0.1:8686"
set "NO_PROXY="
set "no_proxy="
set "npm_config_cafile=/home/ada/Ada's files/weir-ca-bundle.pem"
set "NODE_EXTRA_CA_CERTS=/home/ada/Ada's files/weir-ca.pem"
npm ping --registry ^"https://example.com/anything^?a^=1^&b^=2^" --fetch-retries 0
