#!/bin/sh
# The slim edition contains no Node.js. This script runs the system's Node.js, if it is new enough.
PATH="$PATH:/usr/local/bin:/opt/homebrew/bin:$HOME/.local/bin"
node=$(command -v node) || {
  echo "Weir needs Node.js 26 or newer, and there is none on PATH. The full edition of Weir brings its own." >&2
  exit 70
}
major=$("$node" -p 'process.versions.node.split(".")[0]')
if [ "$major" -lt 26 ]; then
  echo "Weir needs Node.js 26 or newer, and $node is version $major. The full edition of Weir brings its own." >&2
  exit 70
fi
exec "$node" "$@"
