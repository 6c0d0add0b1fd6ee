Remove-Item -Recurse weir-chromium
