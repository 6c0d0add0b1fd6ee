set -e HTTP_PROXY http_proxy HTTPS_PROXY https_proxy NO_PROXY no_proxy DENO_CERT ALL_PROXY all_proxy
