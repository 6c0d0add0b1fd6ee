<?php
$request = curl_init("https://example.com/anything?a=1&b=2");
curl_setopt_array($request, [
    CURLOPT_PROXY => "http://127.0.0.1:8686",
    CURLOPT_NOPROXY => "",
    CURLOPT_CAINFO => "/home/ada/Ada's files/weir-ca-bundle.pem",
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($request);
echo $body === false ? curl_error($request) : curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\n";
