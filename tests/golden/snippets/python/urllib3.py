import urllib3

http = urllib3.ProxyManager("http://127.0.0.1:8686", ca_certs="/home/ada/Ada's files/weir-ca-bundle.pem")
print(http.request("GET", "https://example.com/anything?a=1&b=2", timeout=15).status)
