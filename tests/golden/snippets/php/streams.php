<?php
$context = stream_context_create([
    "http" => ["proxy" => "tcp://127.0.0.1:8686", "request_fulluri" => false],
    "ssl" => ["cafile" => "/home/ada/Ada's files/weir-ca-bundle.pem"],
]);
echo strlen(file_get_contents("https://example.com/anything?a=1&b=2", false, $context)), "\n";
