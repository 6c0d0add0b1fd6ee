del weir-cacerts
