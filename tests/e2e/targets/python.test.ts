import { describe } from "../../support/describe.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs, toolFor } from "../../support/which.ts";

const INTERPRETERS = ["/usr/bin/python3", "python3", "python"];

/** Debian's interpreter has the libraries from python3-requests and so on; elsewhere any interpreter may have them. */
function having(library: string): { readonly program: string; readonly skip: string | null } {
  const program = toolFor(INTERPRETERS, ["-c", `import ${library}`]);
  return { program: program ?? "python3", skip: program === null ? `needs Python with ${library}` : null };
}

const versionOf = (program: string, library: string) => [
  program,
  "-c",
  `import ${library}; print(${library}.__version__)`,
];

describe("Python, with the real libraries", (test) => {
  const requests = having("requests");
  prove(test, {
    form: "python/requests",
    skip: requests.skip,
    run: ({ text, saved }) => [requests.program, saved("probe.py", text)],
    version: versionOf(requests.program, "requests"),
    fails: true,
  });

  const httpx = having("httpx");
  prove(test, {
    form: "python/httpx@before 0.26",
    skip: httpx.skip,
    run: ({ text, saved }) => [httpx.program, saved("probe.py", text)],
    version: versionOf(httpx.program, "httpx"),
    fails: true,
  });

  const aiohttp = having("aiohttp");
  prove(test, {
    form: "python/aiohttp",
    skip: aiohttp.skip,
    run: ({ text, saved }) => [aiohttp.program, saved("probe.py", text)],
    version: versionOf(aiohttp.program, "aiohttp"),
    fails: true,
  });

  const urllib3 = having("urllib3");
  prove(test, {
    form: "python/urllib3",
    skip: urllib3.skip,
    run: ({ text, saved }) => [urllib3.program, saved("probe.py", text)],
    version: versionOf(urllib3.program, "urllib3"),
    fails: true,
  });

  for (const form of ["python/environment#sh", "python/environment#fish"]) {
    prove(test, {
      form,
      skip: needs(shellOf(form), "python3"),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["python3", "--version"],
      fails: true,
    });
  }
});
