sudo ProxyBridge --proxy socks5://127.0.0.1:8686 --rule "curl:*:*:TCP:PROXY" --dns-via-proxy false
