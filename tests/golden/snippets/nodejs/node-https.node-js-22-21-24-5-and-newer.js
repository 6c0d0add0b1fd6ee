import { readFileSync } from "node:fs";
import https from "node:https";

const agent = new https.Agent({
  proxyEnv: { HTTPS_PROXY: "http://127.0.0.1:8686" },
  ca: readFileSync("/home/ada/Ada's files/weir-ca-bundle.pem"),
});
https.get("https://example.com/anything?a=1&b=2", { agent }, (response) => {
  console.log(response.statusCode);
  agent.destroy();
});
