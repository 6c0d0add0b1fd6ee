curl --noproxy '*' --cacert '/home/ada/Ada\'s files/weir-ca-bundle.pem' 'https://example.com/anything?a=1&b=2'
