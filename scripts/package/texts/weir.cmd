@rem Runs the weir command with the Node and the window of this folder.
@setlocal
@if not defined WEIR_NEUTRALINO if exist "%~dp0..\weir.exe" set "WEIR_NEUTRALINO=%~dp0..\weir.exe"
@"%~dp0..\build\extensions\proxy\node.exe" "%~dp0..\scripts\weir.mjs" %*
