Remove-Item -Recurse "$env:TEMP\weir-chromium"
