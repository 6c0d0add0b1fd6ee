cp (java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')/lib/security/cacerts '/home/ada/Ada\'s files/weir-cacerts'
chmod u+w '/home/ada/Ada\'s files/weir-cacerts'
keytool -importcert -noprompt -alias weir -file '/home/ada/Ada\'s files/weir-ca.pem' -keystore '/home/ada/Ada\'s files/weir-cacerts' -storepass changeit
