printf '%s\n' strict_chain proxy_dns '[ProxyList]' 'socks5 127.0.0.1 8686' > weir-proxychains.conf
proxychains4 -q -f weir-proxychains.conf curl --noproxy '*' --cacert '/home/ada/Ada\'s files/weir-ca-bundle.pem' 'https://example.com/anything?a=1&b=2'
