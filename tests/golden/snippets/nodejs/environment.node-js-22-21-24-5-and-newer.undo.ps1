Remove-Item Env:HTTP_PROXY, Env:http_proxy, Env:HTTPS_PROXY, Env:https_proxy, Env:NO_PROXY, Env:no_proxy, Env:NODE_USE_ENV_PROXY, Env:NODE_EXTRA_CA_CERTS -ErrorAction SilentlyContinue
