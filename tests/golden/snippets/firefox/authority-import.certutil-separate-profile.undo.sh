rm -r weir-firefox
