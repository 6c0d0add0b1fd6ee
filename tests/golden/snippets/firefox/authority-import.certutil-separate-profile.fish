mkdir weir-firefox
certutil -N --empty-password -d sql:weir-firefox
certutil -A -n Weir -t C,, -i '/home/ada/Ada\'s files/weir-ca.pem' -d sql:weir-firefox
