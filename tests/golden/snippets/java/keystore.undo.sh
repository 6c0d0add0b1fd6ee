rm -r '/home/ada/Ada'\''s files/weir-cacerts'
