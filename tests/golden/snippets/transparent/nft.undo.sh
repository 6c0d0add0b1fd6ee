sudo nft delete table ip weir
