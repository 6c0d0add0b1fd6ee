test -d "$HOME/.local/share/pki/nssdb" || mkdir -p "$HOME/.pki/nssdb"
store="$HOME/.pki/nssdb"; test -d "$store" || store="$HOME/.local/share/pki/nssdb"
test -e "$store/cert9.db" || certutil -N --empty-password -d "sql:$store"
certutil -A -n Weir -t C,, -i '/home/ada/Ada'\''s files/weir-ca.pem' -d "sql:$store"
