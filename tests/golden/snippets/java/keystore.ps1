Copy-Item "$env:JAVA_HOME\lib\security\cacerts" weir-cacerts
keytool -importcert -noprompt -alias weir -file '/home/ada/Ada''s files/weir-ca.pem' -keystore weir-cacerts -storepass changeit
