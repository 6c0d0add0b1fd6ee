tun2proxy-bin --unshare --setup --dns virtual --unshare-pidfile weir-tun.pid --proxy socks5://127.0.0.1:8686
