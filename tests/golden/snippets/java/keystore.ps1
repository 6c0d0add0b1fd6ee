Copy-Item "$env:JAVA_HOME\lib\security\cacerts" '/home/ada/Ada''s files/weir-cacerts'
keytool -importcert -noprompt -alias weir -file '/home/ada/Ada''s files/weir-ca.pem' -keystore '/home/ada/Ada''s files/weir-cacerts' -storepass changeit
