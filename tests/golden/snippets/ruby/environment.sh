export HTTP_PROXY=http://127.0.0.1:8686
export http_proxy=http://127.0.0.1:8686
export HTTPS_PROXY=http://127.0.0.1:8686
export https_proxy=http://127.0.0.1:8686
export NO_PROXY=''
export no_proxy=''
export SSL_CERT_FILE='/home/ada/Ada'\''s files/weir-ca-bundle.pem'
ruby -rnet/http -e 'puts Net::HTTP.get_response(URI("https://example.com/anything?a=1&b=2")).code'
