import { failure as refused, success } from "../model/result.ts";
import { quoted } from "../quoting/shell.ts";
import type { Copied, PlainRequest } from "./copied.ts";
import {
  hasDots,
  holdsOtherThanAscii,
  holdsTwice,
  INSTEAD,
  isOwnHost,
  KEPT_BY_REQUESTS,
  OF_THE_CONNECTION,
} from "./plain-request.ts";

/** The request for PowerShell 7. Its Invoke-WebRequest adds User-Agent and Accept-Encoding if they are missing. */
export function powershellCode(request: PlainRequest): Copied {
  const { method, url, target, body } = request;
  if (!KEPT_BY_REQUESTS.test(target) || hasDots(target)) return refused(`PowerShell would change this URL. ${INSTEAD}`);
  if (/^(?:GET|HEAD)$/.test(method) && body.length > 0)
    return refused(`PowerShell cannot send a body with ${method}. ${INSTEAD}`);
  if (method !== method.toUpperCase())
    return refused(`PowerShell may send the method ${method} in upper case. ${INSTEAD}`);
  if (holdsTwice(request)) return refused(`PowerShell cannot send a header twice. ${INSTEAD}`);
  if (holdsOtherThanAscii(request))
    return refused(`PowerShell cannot send headers with characters outside ASCII. ${INSTEAD}`);
  const headers = request.headers.filter(
    (field) =>
      !OF_THE_CONNECTION.has(field.name.toLowerCase()) || (/^host$/i.test(field.name) && !isOwnHost(field, request)),
  );
  const lines = [
    "$request = @{",
    `  Uri = ${word(url)}`,
    `  CustomMethod = ${word(method)}`,
    "  Headers = @{",
    ...headers.map(({ name, value }) => `    ${word(name)} = ${word(value)}`),
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
