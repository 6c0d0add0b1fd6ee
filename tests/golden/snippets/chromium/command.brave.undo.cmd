rmdir /s /q weir-chromium
