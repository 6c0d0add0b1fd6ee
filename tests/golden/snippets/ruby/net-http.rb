require "net/http"

uri = URI("https://example.com/anything?a=1&b=2")
http = Net::HTTP.new(uri.host, uri.port, "127.0.0.1", 8686)
http.use_ssl = uri.scheme == "https"
http.ca_file = "/home/ada/Ada's files/weir-ca-bundle.pem"
puts http.get(uri.request_uri).code
