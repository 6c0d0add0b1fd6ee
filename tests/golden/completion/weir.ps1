# Not run in Weir's tests.
Register-ArgumentCompleter -Native -CommandName weir -ScriptBlock {
  param($word, $line, $position)
  $commands = [ordered]@{
    'start' = 'Start Weir (the default command)'
    'demo' = 'Start Weir with sample traffic'
    'stop' = 'End the running Weir, as Ctrl+C does'
    'report' = 'List what makes traffic slow, the costliest cause first'
    'export' = 'Write a recording or a HAR file in another format'
    'check' = 'Check a recording or HAR files against a budget; the exit code is the result'
    'compare' = 'Tell what changed between two recordings or HAR files, per endpoint and finding'
    'accept' = 'Accept findings of a recording or HAR files, so that weir check lists them and does not fail'
    'experiment' = 'Hold back an endpoint''s responses in the running Weir, to learn what waits for them'
    'mark' = 'Tell the running Weir that A or B of your program runs from now on, to compare them'
    'env' = 'Print the lines that make a terminal use the running Weir'
    'certificate' = 'Print where the root certificate is, its fingerprint, and how to trust it'
    'sessions' = 'List the recordings, the newest first; start a new one with a name, or rename one'
    'mcp' = 'Serve recordings, read-only, to an AI agent over standard input and output (Model Context Protocol)'
    'completion' = 'Print the script that lets a shell complete weir'
    'version' = 'Print Weir''s version'
    'help' = 'Explain a command'
  }
  $options = @{
    'start' = [ordered]@{ '--native' = 'open a native window (default: if available)'; '--browser' = 'open a browser window'; '--no-open' = 'open no window, print the window''s address'; '--json' = 'print one line of JSON when ready'; '--port' = 'the proxy''s port (default: 8686, or the next free one)'; '--ui-port' = 'the window''s port (default: the one after the proxy''s, or the next free one)'; '--ui-host-name' = 'also open the window at this address, which you forward to it'; '--listen' = 'the proxy''s address (default: 127.0.0.1)'; '--allow-private-targets' = 'let clients from the network, such as other containers, reach private addresses'; '--data-dir' = 'the folder for everything that Weir writes'; '--ca-cert' = 'the root certificate to use, with --ca-key (default: a generated one)'; '--ca-key' = 'the private key of --ca-cert'; '--upstream-ca' = 'also trust this certificate for servers; repeatable'; '--host-override' = 'connect to ADDR:PORT for NAME; repeatable'; '--reverse' = 'forward the local PORT to ORIGIN; repeatable'; '--transparent' = 'take TLS and HTTP of redirected clients at PORT, for servers'' port 443 or another one; repeatable'; '--slow' = 'imitate a slow line: cable, dsl, slow-4g, 3g, slow-3g, edge, or own figures such as "150ms,1600/750"'; '--log-level' = 'info (default), or debug, which also logs each event of a connection to weir.log'; '--background' = 'open no window and return when Weir is ready; weir stop ends Weir'; '--demo' = 'send sample traffic'; '--help' = 'explain it' }
    'demo' = [ordered]@{ '--native' = 'open a native window (default: if available)'; '--browser' = 'open a browser window'; '--no-open' = 'open no window, print the window''s address'; '--json' = 'print one line of JSON when ready'; '--port' = 'the proxy''s port (default: 8686, or the next free one)'; '--ui-port' = 'the window''s port (default: the one after the proxy''s, or the next free one)'; '--ui-host-name' = 'also open the window at this address, which you forward to it'; '--listen' = 'the proxy''s address (default: 127.0.0.1)'; '--allow-private-targets' = 'let clients from the network, such as other containers, reach private addresses'; '--data-dir' = 'the folder for everything that Weir writes'; '--ca-cert' = 'the root certificate to use, with --ca-key (default: a generated one)'; '--ca-key' = 'the private key of --ca-cert'; '--upstream-ca' = 'also trust this certificate for servers; repeatable'; '--host-override' = 'connect to ADDR:PORT for NAME; repeatable'; '--reverse' = 'forward the local PORT to ORIGIN; repeatable'; '--transparent' = 'take TLS and HTTP of redirected clients at PORT, for servers'' port 443 or another one; repeatable'; '--slow' = 'imitate a slow line: cable, dsl, slow-4g, 3g, slow-3g, edge, or own figures such as "150ms,1600/750"'; '--log-level' = 'info (default), or debug, which also logs each event of a connection to weir.log'; '--help' = 'explain it' }
    'stop' = [ordered]@{ '--data-dir' = 'where the running Weir keeps its data'; '--help' = 'explain it' }
    'report' = [ordered]@{ '--session' = 'the recording to read (default: the newest)'; '--data-dir' = 'where Weir keeps its data'; '--format' = 'default: text'; '--what-if' = 'tell how much sooner page loads would end, as for "GET /v1/prices=50"'; '--no-redact' = 'keep cookies, tokens and other secrets'; '--out' = 'write to this file instead of standard output'; '--help' = 'explain it' }
    'export' = [ordered]@{ '--session' = 'the recording to read (default: the newest)'; '--data-dir' = 'where Weir keeps its data'; '--format' = 'required'; '--table' = 'a table instead of exchanges: latency, slow, payload, chains, groups, repeats, links, trends'; '--filter' = 'as in the window, such as status:5xx dur>500 host:api'; '--no-redact' = 'keep cookies, tokens and other secrets'; '--out' = 'write to this file instead of standard output'; '--help' = 'explain it' }
    'check' = [ordered]@{ '--session' = 'the recording to read (default: the newest)'; '--data-dir' = 'where Weir keeps its data'; '--budget' = 'the limits (default: weir.budget.json)'; '--baseline' = 'also check whether endpoints are slower than in this recording or file'; '--new' = 'only what is new or worse than in the baseline fails'; '--host-alias' = 'another name of a host, as in staging.example.com=api.example.com'; '--accepted' = 'the accepted findings (default: weir.accepted.json)'; '--format' = 'default: text'; '--out' = 'write to this file instead of standard output'; '--help' = 'explain it' }
    'compare' = [ordered]@{ '--format' = 'default: text'; '--data-dir' = 'where Weir keeps its data'; '--host-alias' = 'another name of a host, as in staging.example.com=api.example.com'; '--no-redact' = 'keep cookies, tokens and other secrets'; '--out' = 'write to this file instead of standard output'; '--help' = 'explain it' }
    'accept' = [ordered]@{ '--session' = 'the recording to read (default: the newest)'; '--data-dir' = 'where Weir keeps its data'; '--all' = 'accept every finding'; '--reason' = 'why; required'; '--until' = 'the last day, by UTC, as in 2026-12-31 (default: for ever)'; '--baseline' = 'endpoints that are slower than in this recording or file can be accepted, too'; '--host-alias' = 'another name of a host, as in staging.example.com=api.example.com'; '--accepted' = 'the accepted findings (default: weir.accepted.json)'; '--help' = 'explain it' }
    'experiment' = [ordered]@{ '--loads' = 'page loads or walks to time (default: 30)'; '--levels' = 'how long responses are held (default: 0,100,300)'; '--client' = 'only this client''s: its address and User-Agent (default: all clients)'; '--confirm' = 'also hold a method that may change data on the server'; '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'mark' = [ordered]@{ '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'env' = [ordered]@{ '--shell' = 'default: sh; on Windows powershell'; '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'certificate' = [ordered]@{ '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'sessions' = [ordered]@{ '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'mcp' = [ordered]@{ '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'completion' = [ordered]@{ '--data-dir' = 'where Weir keeps its data'; '--help' = 'explain it' }
    'version' = [ordered]@{ '--help' = 'explain it' }
  }
  $values = @{
    'start --port' = @('<files>')
    'start --ui-port' = @('<files>')
    'start --ui-host-name' = @('<files>')
    'start --listen' = @('<files>')
    'start --data-dir' = @('<files>')
    'start --ca-cert' = @('<files>')
    'start --ca-key' = @('<files>')
    'start --upstream-ca' = @('<files>')
    'start --host-override' = @('<files>')
    'start --reverse' = @('<files>')
    'start --transparent' = @('<files>')
    'start --slow' = @('cable', 'dsl', 'slow-4g', '3g', 'slow-3g', 'edge')
    'start --log-level' = @('info', 'debug')
    'start' = @('<files>')
    'demo --port' = @('<files>')
    'demo --ui-port' = @('<files>')
    'demo --ui-host-name' = @('<files>')
    'demo --listen' = @('<files>')
    'demo --data-dir' = @('<files>')
    'demo --ca-cert' = @('<files>')
    'demo --ca-key' = @('<files>')
    'demo --upstream-ca' = @('<files>')
    'demo --host-override' = @('<files>')
    'demo --reverse' = @('<files>')
    'demo --transparent' = @('<files>')
    'demo --slow' = @('cable', 'dsl', 'slow-4g', '3g', 'slow-3g', 'edge')
    'demo --log-level' = @('info', 'debug')
    'demo' = @('<files>')
    'stop --data-dir' = @('<files>')
    'stop' = @('<files>')
    'report --session' = @('<sessions>')
    'report --data-dir' = @('<files>')
    'report --format' = @('text', 'json', 'md', 'html')
    'report --what-if' = @('<files>')
    'report --out' = @('<files>')
    'report' = @('<files>')
    'export --session' = @('<sessions>')
    'export --data-dir' = @('<files>')
    'export --format' = @('har', 'json', 'csv', 'md')
    'export --table' = @('latency', 'slow', 'payload', 'chains', 'groups', 'repeats', 'links', 'trends')
    'export --filter' = @('<files>')
    'export --out' = @('<files>')
    'export' = @('<files>')
    'check --session' = @('<sessions>')
    'check --data-dir' = @('<files>')
    'check --budget' = @('<files>')
    'check --baseline' = @('<sources>')
    'check --host-alias' = @('<files>')
    'check --accepted' = @('<files>')
    'check --format' = @('text', 'md', 'junit', 'github', 'sarif', 'json')
    'check --out' = @('<files>')
    'check' = @('<files>')
    'compare --format' = @('text', 'md', 'json')
    'compare --data-dir' = @('<files>')
    'compare --host-alias' = @('<files>')
    'compare --out' = @('<files>')
    'compare' = @('<sources>')
    'accept --session' = @('<sessions>')
    'accept --data-dir' = @('<files>')
    'accept --reason' = @('<files>')
    'accept --until' = @('<files>')
    'accept --baseline' = @('<sources>')
    'accept --host-alias' = @('<files>')
    'accept --accepted' = @('<files>')
    'accept' = @('<files>')
    'experiment --loads' = @('<files>')
    'experiment --levels' = @('<files>')
    'experiment --client' = @('<files>')
    'experiment --data-dir' = @('<files>')
    'experiment' = @('<files>')
    'mark --data-dir' = @('<files>')
    'mark' = @('A', 'B')
    'env --shell' = @('sh', 'fish', 'powershell', 'cmd')
    'env --data-dir' = @('<files>')
    'env' = @('<files>')
    'certificate --data-dir' = @('<files>')
    'certificate' = @('<files>')
    'sessions --data-dir' = @('<files>')
    'sessions' = @('new', 'rename')
    'mcp --data-dir' = @('<files>')
    'mcp' = @('<files>')
    'completion --data-dir' = @('<files>')
    'completion' = @('bash', 'zsh', 'fish', 'powershell')
    'version' = @('<files>')
  }
  $words = @($line.CommandElements | ForEach-Object { $_.ToString() })
  $count = if ($word) { $words.Count - 1 } else { $words.Count }
  $typed = $word.Trim("'", '"')
  $offered = [ordered]@{}
  if ($count -lt 2 -or $words[1] -eq 'help') { $offered = $commands }
  else {
    $found = $values["$($words[1]) $($words[$count - 1])"]
    if (-not $found) {
      $found = $values[$words[1]]
      if ($options[$words[1]]) { foreach ($one in $options[$words[1]].GetEnumerator()) { $offered[$one.Key] = $one.Value } }
    }
    foreach ($one in $found) {
      if ($one -eq '<sessions>' -or $one -eq '<sources>') {
        $at = [array]::IndexOf($words, '--data-dir')
        $folder = if ($at -gt 1 -and $at + 1 -lt $count) { '--data-dir', $words[$at + 1].Trim("'", '"') } else { @() }
        foreach ($session in & $words[0] completion sessions @folder 2>$null) {
          $name, $meaning = $session -split "`t", 2
          $offered[$name] = $meaning
        }
      }
      elseif ($one -ne '<files>') { $offered[$one] = $one }
    }
  }
  $offered.GetEnumerator() | Where-Object { $_.Key.StartsWith($typed) } | ForEach-Object {
    $text = if ($_.Key -match '^[\w.-]+$') { $_.Key } else { "'" + $_.Key.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $_.Key, 'ParameterValue', $_.Value)
  }
  if ($found -contains '<sources>') { [System.Management.Automation.CompletionCompleters]::CompleteFilename($word) }
}
