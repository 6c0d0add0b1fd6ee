curl.exe --noproxy '*' --connect-to '::127.0.0.1:8443' --cacert '/home/ada/Ada''s files/weir-ca-bundle.pem' 'https://example.com/anything?a=1&b=2'
