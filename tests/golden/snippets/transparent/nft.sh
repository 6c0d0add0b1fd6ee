sudo nft add table ip weir
sudo nft add chain ip weir output '{ type nat hook output priority -100 ; }'
sudo nft add rule ip weir output tcp dport 443 meta skuid != "$(id -u)" redirect to :8443
