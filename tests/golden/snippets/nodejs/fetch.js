import { readFileSync } from "node:fs";
import { ProxyAgent, setGlobalDispatcher } from "undici";

const ca = readFileSync("/home/ada/Ada's files/weir-ca-bundle.pem");
setGlobalDispatcher(new ProxyAgent({ uri: "http://127.0.0.1:8686", requestTls: { ca } }));

const response = await fetch("https://example.com/anything?a=1&b=2");
console.log(response.status);
