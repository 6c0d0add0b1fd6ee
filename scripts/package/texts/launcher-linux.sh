#!/bin/sh
# Starts Weir's window from wherever this folder lies, also through a link or from PATH.
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/weir-window" "--path=$here" "$@"
