docker run --rm -v '/home/ada/Ada''s files/weir-ca-bundle.pem:/weir-ca.pem:ro' curlimages/curl --proxy 'http://host.docker.internal:8686' --cacert /weir-ca.pem 'https://example.com/anything?a=1&b=2'
