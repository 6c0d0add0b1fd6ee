#!/bin/sh
# Starts Weir's window; what it shows and runs lies in the bundle's Resources.
here=$(cd "$(dirname "$0")" && pwd -P)
exec "$here/weir-window" "--path=$here/../Resources" "$@"
