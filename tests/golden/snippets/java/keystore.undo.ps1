Remove-Item -Recurse weir-cacerts
