mkdir -p "$HOME/.pki/nssdb"
test -e "$HOME/.pki/nssdb/cert9.db" || certutil -N --empty-password -d "sql:$HOME/.pki/nssdb"
certutil -A -n Weir -t C,, -i '/home/ada/Ada\'s files/weir-ca.pem' -d "sql:$HOME/.pki/nssdb"
