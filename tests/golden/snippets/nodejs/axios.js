import { readFileSync } from "node:fs";
import axios from "axios";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";

const proxy = "http://127.0.0.1:8686";
const httpAgent = new HttpProxyAgent({ proxy });
const httpsAgent = new HttpsProxyAgent({ proxy, ca: readFileSync("/home/ada/Ada's files/weir-ca-bundle.pem") });
const response = await axios.get("https://example.com/anything?a=1&b=2", { httpAgent, httpsAgent, proxy: false });
console.log(response.status);
