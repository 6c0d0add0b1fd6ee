set -gx HTTP_PROXY http://127.0.0.1:8686
set -gx http_proxy http://127.0.0.1:8686
set -gx HTTPS_PROXY http://127.0.0.1:8686
set -gx https_proxy http://127.0.0.1:8686
set -gx NO_PROXY ''
set -gx no_proxy ''
set -gx SSL_CERT_FILE '/home/ada/Ada\'s files/weir-ca-bundle.pem'
set -gx CURL_CA_BUNDLE '/home/ada/Ada\'s files/weir-ca-bundle.pem'
set -gx REQUESTS_CA_BUNDLE '/home/ada/Ada\'s files/weir-ca-bundle.pem'
set -gx GIT_SSL_CAINFO '/home/ada/Ada\'s files/weir-ca-bundle.pem'
set -gx AWS_CA_BUNDLE '/home/ada/Ada\'s files/weir-ca-bundle.pem'
set -gx GRPC_DEFAULT_SSL_ROOTS_FILE_PATH '/home/ada/Ada\'s files/weir-ca-bundle.pem'
set -gx WSS_PROXY http://127.0.0.1:8686
set -gx wss_proxy http://127.0.0.1:8686
set -gx NODE_EXTRA_CA_CERTS '/home/ada/Ada\'s files/weir-ca.pem'
set -gx DENO_CERT '/home/ada/Ada\'s files/weir-ca.pem'
set -gx NODE_USE_ENV_PROXY 1
set -gx ALL_PROXY ''
set -gx all_proxy ''
curl 'https://example.com/anything?a=1&b=2'
