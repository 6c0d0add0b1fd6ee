import { success } from "../model/result.ts";
import { quoted } from "../quoting/shell.ts";
import type { Copied, PlainRequest } from "./copied-request.ts";
import { hasDots, holdsOtherThanAscii, holdsTwice, KEPT_BY_REQUESTS, ownHeaders, refused } from "./plain-request.ts";

/** The request for PowerShell 7. Its Invoke-WebRequest adds User-Agent and Accept-Encoding if they are missing. */
export function powershellCode(request: PlainRequest): Copied {
  const { method, url, target, body } = request;
  if (!KEPT_BY_REQUESTS.test(target) || hasDots(target)) return refused("PowerShell would change this URL.");
  if (/^(?:GET|HEAD)$/.test(method) && body.length > 0) return refused(`PowerShell cannot send a body with ${method}.`);
  if (method !== method.toUpperCase()) return refused(`PowerShell may send the method ${method} in upper case.`);
  if (holdsTwice(request)) return refused("PowerShell cannot send a header twice.");
  if (holdsOtherThanAscii(request)) return refused("PowerShell cannot send headers with characters outside ASCII.");
  const lines = [
    "$request = @{",
    `  Uri = ${word(url)}`,
    `  CustomMethod = ${word(method)}`,
    "  Headers = @{",
    ...ownHeaders(request).map(({ name, value }) => `    ${word(name)} = ${word(value)}`),
    "  }",
    ...(body.length === 0 ? [] : [`  Body = [Convert]::FromBase64String(${word(body.toBase64())})`]),
    "  MaximumRedirection = 0",
    "  SkipHeaderValidation = $true",
    "  SkipHttpErrorCheck = $true",
    "}",
    "Invoke-WebRequest @request",
  ];
  return success(lines.join("\n"));
}

function word(value: string): string {
  return quoted(value, "powershell");
}
