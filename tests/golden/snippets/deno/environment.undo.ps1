Remove-Item Env:HTTP_PROXY, Env:http_proxy, Env:HTTPS_PROXY, Env:https_proxy, Env:NO_PROXY, Env:no_proxy, Env:DENO_CERT, Env:ALL_PROXY, Env:all_proxy -ErrorAction SilentlyContinue
