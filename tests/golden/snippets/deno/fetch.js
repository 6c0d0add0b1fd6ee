// deno run --allow-net --allow-read probe.ts
const client = Deno.createHttpClient({
  proxy: { url: "http://127.0.0.1:8686" },
  caCerts: [Deno.readTextFileSync("/home/ada/Ada's files/weir-ca.pem")],
});
const response = await fetch("https://example.com/anything?a=1&b=2", { client });
console.log(response.status);
client.close();
