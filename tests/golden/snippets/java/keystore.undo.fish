rm -r weir-cacerts
