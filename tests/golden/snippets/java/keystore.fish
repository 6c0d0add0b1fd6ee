cp (java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/lib/security/cacerts weir-cacerts
chmod u+w weir-cacerts
keytool -importcert -noprompt -alias weir -file '/home/ada/Ada\'s files/weir-ca.pem' -keystore weir-cacerts -storepass changeit
