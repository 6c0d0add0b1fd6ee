import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";

const url = new URL("https://example.com/anything?a=1&b=2");
const ca = readFileSync("/home/ada/Ada's files/weir-ca-bundle.pem");
const path = `${url.hostname}:${url.port || 443}`;
http
  .request({ host: "127.0.0.1", port: 8686, method: "CONNECT", path })
  .on("connect", (_, socket) => {
    const options = { socket, agent: false, ca, servername: url.hostname };
    https.get(url, options, (response) => console.log(response.statusCode));
  })
  .end();
