rm -r weir-chromium
