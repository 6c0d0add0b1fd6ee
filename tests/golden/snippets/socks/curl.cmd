curl --socks5-hostname 127.0.0.1:8686 --noproxy ^"^" --cacert ^"/home/ada/Ada^'s files/weir-ca-bundle.pem^" ^"https://example.com/anything^?a^=1^&b^=2^"
