git -c ^"http.proxy^=http://127.0.0.1:8686^" -c ^"http.sslCAInfo^=/home/ada/Ada^'s files/weir-ca-bundle.pem^" ls-remote ^"https://example.com/anything^?a^=1^&b^=2^"
