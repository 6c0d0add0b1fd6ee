certutil -D -n Weir -d "sql:$HOME/.pki/nssdb"
