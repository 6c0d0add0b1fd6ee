import urllib.request

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
print(opener.open("http://127.0.0.1:9001/anything?a=1&b=2", timeout=15).status)
