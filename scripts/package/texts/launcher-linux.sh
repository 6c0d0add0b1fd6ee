#!/bin/sh
# Runs the weir command with the Node and the window of this folder, also through a link or from PATH.
here=$(dirname -- "$(readlink -f -- "$0")")
if [ -z "$WEIR_NEUTRALINO" ] && [ -x "$here/weir-window" ]; then export WEIR_NEUTRALINO="$here/weir-window"; fi
exec "$here/build/extensions/proxy/node" "$here/scripts/weir.mjs" "$@"
