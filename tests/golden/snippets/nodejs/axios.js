import { readFileSync } from "node:fs";
import axios from "axios";
import { HttpsProxyAgent } from "hpagent";

const httpsAgent = new HttpsProxyAgent({
  proxy: "http://127.0.0.1:8686",
  ca: readFileSync("/home/ada/Ada's files/weir-ca-bundle.pem"),
});
const response = await axios.get("https://example.com/anything?a=1&b=2", { httpsAgent, proxy: false });
console.log(response.status);
