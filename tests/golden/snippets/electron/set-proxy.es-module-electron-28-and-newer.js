import { app, net, session } from "electron";

app.whenReady().then(async () => {
  await session.defaultSession.setProxy({
    proxyRules: "http=127.0.0.1:8686;https=127.0.0.1:8686",
    proxyBypassRules: "<-loopback>",
  });
  const response = await net.fetch("https://example.com/anything?a=1&b=2");
  console.log(response.status);
});
