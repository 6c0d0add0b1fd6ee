#!/bin/sh
# Starts Weir's window with the files of this folder, also through a link or from PATH.
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/weir-window" "--path=$here" "$@"
