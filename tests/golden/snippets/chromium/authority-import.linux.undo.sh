store="$HOME/.pki/nssdb"; test -d "$store" || store="$HOME/.local/share/pki/nssdb"; certutil -D -n Weir -d "sql:$store"
