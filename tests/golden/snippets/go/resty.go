package main

import (
	"fmt"
	"log"

	"github.com/go-resty/resty/v2"
)

func main() {
	client := resty.New().
		SetProxy("http://127.0.0.1:8686").
		SetRootCertificate("/home/ada/Ada's files/weir-ca-bundle.pem")
	response, err := client.R().Get("https://example.com/anything?a=1&b=2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode())
}
