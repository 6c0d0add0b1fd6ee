export HTTP_PROXY=http://127.0.0.1:8686
export http_proxy=http://127.0.0.1:8686
export HTTPS_PROXY=http://127.0.0.1:8686
export https_proxy=http://127.0.0.1:8686
export NO_PROXY=''
export no_proxy=''
bru run probe.bru --cacert '/home/ada/Ada'\''s files/weir-ca.pem'
