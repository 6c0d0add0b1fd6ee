Remove-Item -Recurse '/home/ada/Ada''s files/weir-cacerts'
