export HTTP_PROXY=http://127.0.0.1:8686
export http_proxy=http://127.0.0.1:8686
export HTTPS_PROXY=http://127.0.0.1:8686
export https_proxy=http://127.0.0.1:8686
export NO_PROXY=''
export no_proxy=''
export JAVA_TOOL_OPTIONS='-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=8686 -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=8686 -Dhttp.nonProxyHosts= "-Djavax.net.ssl.trustStore=/home/ada/Ada'\''s files/weir-cacerts" -Djavax.net.ssl.trustStorePassword=changeit'
