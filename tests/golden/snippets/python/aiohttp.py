import asyncio
import ssl
import aiohttp

async def main():
    context = ssl.create_default_context()
    context.load_verify_locations("/home/ada/Ada's files/weir-ca.pem")
    async with aiohttp.ClientSession() as session:
        async with session.get("https://example.com/anything?a=1&b=2", proxy="http://127.0.0.1:8686", ssl=context) as response:
            print(response.status)

asyncio.run(main())
