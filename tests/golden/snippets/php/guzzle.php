<?php
require "vendor/autoload.php";

$client = new GuzzleHttp\Client(["proxy" => "http://127.0.0.1:8686", "verify" => "/home/ada/Ada's files/weir-ca-bundle.pem"]);
echo $client->get("https://example.com/anything?a=1&b=2")->getStatusCode(), "\n";
