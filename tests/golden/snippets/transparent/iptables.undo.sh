sudo iptables -t nat -D OUTPUT -p tcp --dport 443 -m owner ! --uid-owner "$(id -u)" -j REDIRECT --to-ports 8443
