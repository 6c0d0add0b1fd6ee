import { describe } from "../../support/describe.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

describe("wget", (test) => {
  for (const form of ["wget/command#sh", "wget/command#fish"]) {
    prove(test, {
      form,
      skip: needs("wget", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["wget", "--version"],
      errors: {
        wrong: /ERROR: The certificate of .* is not trusted\..*doesn.t have a known issuer\./s,
        off: /Connecting to 127\.0\.0\.1:\d+\.\.\. failed: Connection refused\./,
      },
    });
  }
});

describe("HTTPie", (test) => {
  for (const form of ["httpie/command#sh", "httpie/command#fish"]) {
    prove(test, {
      form,
      skip: needs("http", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["http", "--version"],
      errors: {
        wrong: /SSLError.*CERTIFICATE_VERIFY_FAILED/s,
        off: /ProxyError.*Cannot connect to proxy.*Connection refused/s,
      },
    });
  }
});

describe("git, whose requests lie below the probe's path", (test) => {
  for (const form of ["git/command#sh", "git/command#fish", "git/environment#sh", "git/environment#fish"]) {
    prove(test, {
      form,
      skip: needs("git", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["git", "--version"],
      complains: true,
      errors: {
        wrong:
          /server certificate verification failed\. CAfile: .* CRLfile: none|SSL certificate problem: self-signed certificate/,
        off: /Failed to connect to 127\.0\.0\.1 port \d+ after \d+ ms: Couldn't connect to server/,
      },
    });
  }
});

describe("npm, whose requests lie below the probe's path", (test) => {
  for (const form of ["npm/command#sh", "npm/command#fish", "npm/environment#sh"]) {
    prove(test, {
      form,
      skip: needs("npm", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["npm", "--version"],
      ...(form === "npm/command#sh"
        ? { errors: { wrong: /npm error code SELF_SIGNED_CERT_IN_CHAIN/, off: /npm error code ECONNREFUSED/ } }
        : {}),
    });
  }
});
