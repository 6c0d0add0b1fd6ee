#!/bin/sh
# Runs the weir command with the Node and the window of this bundle, also through a link or from PATH.
here=$(dirname -- "$(readlink -f -- "$0")")
home=$here/../Resources
window=$here/weir-window
if [ -x "$window" ]; then
  # From Finder this process becomes the window, so that the Dock shows it as the app.
  if [ $# -eq 0 ] && [ ! -t 0 ]; then
    export WEIR_NATIVE="$window"
    exec "$window" --load-dir-res "--path=$home/build"
  fi
  export WEIR_NEUTRALINO="${WEIR_NEUTRALINO:-$window}"
fi
exec "$home/build/extensions/proxy/node" "$home/scripts/weir.mjs" "$@"
