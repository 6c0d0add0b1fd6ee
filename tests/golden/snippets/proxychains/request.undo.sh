rm weir-proxychains.conf
