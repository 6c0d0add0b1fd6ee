netsh interface portproxy delete v4tov4 listenaddress=127.0.0.1 listenport=443
