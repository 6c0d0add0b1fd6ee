npx electron . '--proxy-server=http://127.0.0.1:8686' '--proxy-bypass-list=<-loopback>'
