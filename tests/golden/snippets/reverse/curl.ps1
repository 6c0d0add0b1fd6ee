curl.exe --noproxy '*' 'http://127.0.0.1:9001/anything?a=1&b=2'
