sudo ProxyBridge --cleanup
