const response = await fetch("https://example.com/anything?a=1&b=2", {
  proxy: "http://127.0.0.1:8686",
  tls: { ca: Bun.file("/home/ada/Ada's files/weir-ca-bundle.pem") },
});
console.log(response.status);
