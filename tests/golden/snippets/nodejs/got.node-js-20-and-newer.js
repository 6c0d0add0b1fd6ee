import { readFileSync } from "node:fs";
import got from "got";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";

const proxy = "http://127.0.0.1:8686";
const certificateAuthority = readFileSync("/home/ada/Ada's files/weir-ca-bundle.pem");
const response = await got("https://example.com/anything?a=1&b=2", {
  agent: { http: new HttpProxyAgent({ proxy }), https: new HttpsProxyAgent({ proxy }) },
  https: { certificateAuthority },
  retry: { limit: 0 },
});
console.log(response.statusCode);
