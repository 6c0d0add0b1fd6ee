require "faraday"

connection = Faraday.new(
  proxy: "http://127.0.0.1:8686",
  ssl: { ca_file: "/home/ada/Ada's files/weir-ca-bundle.pem" }
)
puts connection.get("https://example.com/anything?a=1&b=2").status
