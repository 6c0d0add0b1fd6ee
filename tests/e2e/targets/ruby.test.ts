import { describe } from "../../support/describe.ts";
import { interpreterFor } from "../../support/interpreter.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

/** Debian's interpreter has the gems by ruby-httparty and ruby-faraday. */
function having(library: string): { readonly program: string; readonly skip: string | null } {
  const program = interpreterFor(["/usr/bin/ruby", "ruby"], "-e", `require "${library}"`);
  return { program: program ?? "ruby", skip: program === null ? `needs Ruby with ${library}` : null };
}

describe("Ruby, with the real libraries", (test) => {
  const netHttp = having("net/http");
  prove(test, {
    form: "ruby/net-http",
    skip: netHttp.skip,
    run: ({ text, saved }) => [netHttp.program, saved("probe.rb", text)],
    version: [netHttp.program, "-e", "puts RUBY_VERSION"],
    fails: true,
  });

  const httparty = having("httparty");
  prove(test, {
    form: "ruby/httparty",
    skip: httparty.skip,
    run: ({ text, saved }) => [httparty.program, saved("probe.rb", text)],
    version: [httparty.program, "-e", 'require "httparty"; puts HTTParty::VERSION'],
    fails: true,
  });

  const faraday = having("faraday");
  prove(test, {
    form: "ruby/faraday",
    skip: faraday.skip,
    run: ({ text, saved }) => [faraday.program, saved("probe.rb", text)],
    version: [faraday.program, "-e", 'require "faraday"; puts Faraday::VERSION'],
    fails: true,
  });

  for (const form of ["ruby/environment#sh", "ruby/environment#fish"]) {
    prove(test, {
      form,
      skip: needs(shellOf(form)) ?? netHttp.skip,
      run: ({ text }) => [shellOf(form), "-c", text],
      version: [netHttp.program, "-e", "puts RUBY_VERSION"],
      fails: true,
    });
  }
});
