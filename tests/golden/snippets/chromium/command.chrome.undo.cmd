rmdir /s /q "%TEMP%\weir-chromium"
