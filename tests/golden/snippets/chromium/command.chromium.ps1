Start-Process chrome -ArgumentList "--user-data-dir=`"$env:TEMP\weir-chromium`"", '--proxy-server=http://127.0.0.1:8686', '--proxy-bypass-list=<-loopback>', 'https://example.com/anything?a=1&b=2'
