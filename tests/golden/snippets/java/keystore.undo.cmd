del ^"/home/ada/Ada^'s files/weir-cacerts^"
