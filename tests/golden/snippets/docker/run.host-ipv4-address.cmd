docker run --rm -v ^"/home/ada/Ada^'s files/weir-ca-bundle.pem:/weir-ca.pem:ro^" curlimages/curl --proxy http://192.168.1.20:8686 --cacert /weir-ca.pem ^"https://example.com/anything^?a^=1^&b^=2^"
