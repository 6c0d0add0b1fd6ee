import requests

session = requests.Session()
session.trust_env = False
session.proxies = {"http": "socks5h://127.0.0.1:8686", "https": "socks5h://127.0.0.1:8686"}
session.verify = "/home/ada/Ada's files/weir-ca-bundle.pem"
print(session.get("https://example.com/anything?a=1&b=2", timeout=15).status_code)
