set "HTTP_PROXY=http://127.0.0.1:8686"
set "http_proxy=http://127.0.0.1:8686"
set "HTTPS_PROXY=http://127.0.0.1:8686"
set "https_proxy=http://127.0.0.1:8686"
set "NO_PROXY="
set "no_proxy="
set JAVA_TOOL_OPTIONS=-Dhttp.proxyHost^=127.0.0.1 -Dhttp.proxyPort^=8686 -Dhttps.proxyHost^=127.0.0.1 -Dhttps.proxyPort^=8686 -Dhttp.nonProxyHosts^= ^"-Djavax.net.ssl.trustStore^=/home/ada/Ada^'s files/weir-cacerts^" -Djavax.net.ssl.trustStorePassword^=changeit
