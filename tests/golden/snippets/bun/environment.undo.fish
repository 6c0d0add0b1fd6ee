set -e HTTP_PROXY http_proxy HTTPS_PROXY https_proxy NO_PROXY no_proxy NODE_EXTRA_CA_CERTS
