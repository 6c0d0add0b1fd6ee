import type { Shell } from "../quoting/shell.ts";

/** The proxy variables in both letter cases, since some tools read only one of them. */
export const PROXY_VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] as const;
const OTHER_VARIABLES = ["ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy", "NODE_USE_ENV_PROXY"] as const;

/** Variables that name a certificate file, and whether the file replaces a tool's roots or adds to them. */
export const CERTIFICATE_VARIABLES = {
  SSL_CERT_FILE: "replaces",
  CURL_CA_BUNDLE: "replaces",
  REQUESTS_CA_BUNDLE: "replaces",
  GIT_SSL_CAINFO: "replaces",
  AWS_CA_BUNDLE: "replaces",
  GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: "replaces",
  npm_config_cafile: "replaces",
  NODE_EXTRA_CA_CERTS: "adds",
  DENO_CERT: "adds",
} as const;

/**
 * Variables that make tools accept any certificate, with the value that does so. Weir detects them and never recommends
 * one.
 */
export const UNVERIFIED: Readonly<Record<string, string>> = {
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  GIT_SSL_NO_VERIFY: "*",
  PYTHONHTTPSVERIFY: "0",
};

const FILE_NAMES = Object.keys(CERTIFICATE_VARIABLES);
/** All variables that the output of `doctorCommand` may contain. */
export const VARIABLES = [...PROXY_VARIABLES, ...OTHER_VARIABLES, ...FILE_NAMES, ...Object.keys(UNVERIFIED)];
const TOOLS = ["node", "python3", "curl"];

/**
 * A command that only reads. It prints the terminal's proxy and certificate variables as `NAME=value`. For each
 * variable that names a certificate file, it prints `NAME is pem` or `NAME is no pem`. It also prints the versions of
 * three tools, such as `node: v26.10.0`; in cmd, each tool prints its version in its own form.
 */
export function doctorCommand(shell: Shell): string {
  const pattern = `^(${VARIABLES.join("|")})=`;
  switch (shell) {
    case "sh":
      return [
        `env | grep -E '${pattern}'`,
        `for n in ${FILE_NAMES.join(" ")}; do p=$(printenv $n) && { grep -q 'BEGIN CERTIFICATE' "$p" 2>/dev/null && echo "$n is pem" || echo "$n is no pem"; }; done`,
        `for t in ${TOOLS.join(" ")}; do echo "$t: $($t --version 2>&1 | head -n 1)"; done`,
      ].join("\n");
    case "fish":
      return [
        `env | grep -E '${pattern}'`,
        `for n in ${FILE_NAMES.join(" ")}; if set -q $n; grep -q 'BEGIN CERTIFICATE' $$n 2>/dev/null; and echo "$n is pem"; or echo "$n is no pem"; end; end`,
        `for t in ${TOOLS.join(" ")}; echo $t: ($t --version 2>&1 | head -n 1); end`,
      ].join("\n");
    case "powershell":
      return [
        `Get-ChildItem Env: | Where-Object { "$($_.Name)=" -match '${pattern}' } | ForEach-Object { "$($_.Name)=$($_.Value)" }`,
        `foreach ($n in ${FILE_NAMES.map((name) => `'${name}'`).join(", ")}) { $p = [Environment]::GetEnvironmentVariable($n); if ($p) { if ((Test-Path $p) -and (Select-String -Quiet 'BEGIN CERTIFICATE' $p)) { "$n is pem" } else { "$n is no pem" } } }`,
        'foreach ($t in "node", "python", "curl.exe") { "$($t): $(& $t --version 2>&1 | Select-Object -First 1)" }',
      ].join("\n");
    case "cmd":
      return [
        `for %n in (${[...new Set(VARIABLES.map((name) => name.toUpperCase()))].join(" ")}) do @if defined %n set %n`,
        `for %n in (${FILE_NAMES.join(" ")}) do @if defined %n for /f "tokens=1* delims==" %a in ('set %n') do @(findstr /m /c:"BEGIN CERTIFICATE" "%b" 2>nul && echo %n is pem || echo %n is no pem)`,
        ...["node", "python", "curl"].map((tool) => `${tool} --version`),
      ].join("\n");
  }
}
