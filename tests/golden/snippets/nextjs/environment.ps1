$env:HTTP_PROXY = 'http://127.0.0.1:8686'
$env:http_proxy = 'http://127.0.0.1:8686'
$env:HTTPS_PROXY = 'http://127.0.0.1:8686'
$env:https_proxy = 'http://127.0.0.1:8686'
$env:NO_PROXY = ''
$env:no_proxy = ''
$env:NODE_USE_ENV_PROXY = '1'
$env:NODE_EXTRA_CA_CERTS = '/home/ada/Ada''s files/weir-ca.pem'
npx next dev
