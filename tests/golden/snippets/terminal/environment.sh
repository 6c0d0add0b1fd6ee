export HTTP_PROXY=http://127.0.0.1:8686
export http_proxy=http://127.0.0.1:8686
export HTTPS_PROXY=http://127.0.0.1:8686
export https_proxy=http://127.0.0.1:8686
export NO_PROXY=''
export no_proxy=''
export SSL_CERT_FILE='/home/ada/Ada'\''s files/weir-ca-bundle.pem'
export CURL_CA_BUNDLE='/home/ada/Ada'\''s files/weir-ca-bundle.pem'
export REQUESTS_CA_BUNDLE='/home/ada/Ada'\''s files/weir-ca-bundle.pem'
export GIT_SSL_CAINFO='/home/ada/Ada'\''s files/weir-ca-bundle.pem'
export AWS_CA_BUNDLE='/home/ada/Ada'\''s files/weir-ca-bundle.pem'
export NODE_EXTRA_CA_CERTS='/home/ada/Ada'\''s files/weir-ca.pem'
export DENO_CERT='/home/ada/Ada'\''s files/weir-ca.pem'
export NODE_USE_ENV_PROXY=1
export ALL_PROXY=''
export all_proxy=''
curl 'https://example.com/anything?a=1&b=2'
