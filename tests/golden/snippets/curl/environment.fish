set -gx HTTP_PROXY http://127.0.0.1:8686
set -gx http_proxy http://127.0.0.1:8686
set -gx HTTPS_PROXY http://127.0.0.1:8686
set -gx https_proxy http://127.0.0.1:8686
set -gx NO_PROXY ''
set -gx no_proxy ''
set -gx CURL_CA_BUNDLE '/home/ada/Ada\'s files/weir-ca-bundle.pem'
curl 'https://example.com/anything?a=1&b=2'
