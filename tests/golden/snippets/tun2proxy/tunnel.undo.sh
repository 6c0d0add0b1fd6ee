rm -f weir-tun.pid
