require "httparty"

response = HTTParty.get(
  "https://example.com/anything?a=1&b=2",
  http_proxyaddr: "127.0.0.1",
  http_proxyport: 8686,
  ssl_ca_file: "/home/ada/Ada's files/weir-ca-bundle.pem"
)
puts response.code
