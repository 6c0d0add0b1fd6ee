#!/bin/sh
# Starts Weir's window. Its files are in the bundle's Resources.
here=$(cd "$(dirname "$0")" && pwd -P)
exec "$here/weir-window" "--path=$here/../Resources" "$@"
