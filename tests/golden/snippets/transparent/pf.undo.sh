sudo pfctl -f /etc/pf.conf
rm weir-pf.conf
