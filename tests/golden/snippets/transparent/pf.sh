cat > weir-pf.conf <<END
rdr pass inet proto tcp from any to any port 443 -> 127.0.0.1 port 8443
pass out route-to (lo0 127.0.0.1) inet proto tcp from any to any port 443 user != $(id -un)
END
sudo pfctl -e -f weir-pf.conf
