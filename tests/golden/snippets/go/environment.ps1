$env:HTTP_PROXY = 'http://127.0.0.1:8686'
$env:http_proxy = 'http://127.0.0.1:8686'
$env:HTTPS_PROXY = 'http://127.0.0.1:8686'
$env:https_proxy = 'http://127.0.0.1:8686'
$env:NO_PROXY = ''
$env:no_proxy = ''
$env:SSL_CERT_FILE = '/home/ada/Ada''s files/weir-ca-bundle.pem'
go run .
