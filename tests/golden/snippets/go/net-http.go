package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
)

func main() {
	pool, err := x509.SystemCertPool()
	if err != nil {
		log.Fatal(err)
	}
	root, err := os.ReadFile("/home/ada/Ada's files/weir-ca.pem")
	if err != nil {
		log.Fatal(err)
	}
	pool.AppendCertsFromPEM(root)
	proxy, err := url.Parse("http://127.0.0.1:8686")
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{
		Proxy:           http.ProxyURL(proxy),
		TLSClientConfig: &tls.Config{RootCAs: pool},
	}}
	response, err := client.Get("https://example.com/anything?a=1&b=2")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.StatusCode)
}
