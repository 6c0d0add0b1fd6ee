http --ignore-stdin --proxy http:http://127.0.0.1:8686 --proxy https:http://127.0.0.1:8686 --verify '/home/ada/Ada'\''s files/weir-ca-bundle.pem' GET 'https://example.com/anything?a=1&b=2'
