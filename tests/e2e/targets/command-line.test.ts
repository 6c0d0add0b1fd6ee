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
      fails: true,
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
      fails: true,
    });
  }
});

describe("git, with requests below the probe's path", (test) => {
  for (const form of ["git/command#sh", "git/command#fish", "git/environment#sh", "git/environment#fish"]) {
    prove(test, {
      form,
      skip: needs("git", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["git", "--version"],
      complains: true,
      fails: true,
    });
  }
});

describe("npm, with requests below the probe's path", (test) => {
  for (const form of ["npm/command#sh", "npm/command#fish", "npm/environment#sh"]) {
    prove(test, {
      form,
      skip: needs("npm", shellOf(form)),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["npm", "--version"],
      ...(form === "npm/command#sh" ? { fails: true } : {}),
    });
  }
});
