chromium '--proxy-server=http://127.0.0.1:8686' '--proxy-bypass-list=<-loopback>' '--user-data-dir=weir-chromium' 'https://example.com/anything?a=1&b=2'
