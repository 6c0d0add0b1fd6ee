$env:HTTP_PROXY = 'http://127.0.0.1:8686'
$env:http_proxy = 'http://127.0.0.1:8686'
$env:HTTPS_PROXY = 'http://127.0.0.1:8686'
$env:https_proxy = 'http://127.0.0.1:8686'
$env:NO_PROXY = ''
$env:no_proxy = ''
$env:npm_config_cafile = '/home/ada/Ada''s files/weir-ca-bundle.pem'
$env:NODE_EXTRA_CA_CERTS = '/home/ada/Ada''s files/weir-ca.pem'
npm ping --registry 'https://example.com/anything?a=1&b=2' --fetch-retries 0
