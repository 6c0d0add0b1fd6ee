import ssl
import httpx

context = ssl.create_default_context()
context.load_verify_locations("/home/ada/Ada's files/weir-ca.pem")
with httpx.Client(proxy="http://127.0.0.1:8686", verify=context, trust_env=False) as client:
    print(client.get("https://example.com/anything?a=1&b=2", timeout=15).status_code)
