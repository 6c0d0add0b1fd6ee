import { describe } from "../../support/describe.ts";
import { prove, shellOf } from "../../support/proof.ts";
import { needs, toolFor } from "../../support/which.ts";

/** Debian's interpreter has the gems from ruby-httparty and ruby-faraday; elsewhere any interpreter may have them. */
function having(library: string): { readonly program: string; readonly skip: string | null } {
  const program = toolFor(["/usr/bin/ruby", "ruby"], ["-e", `require "${library}"`]);
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
      skip: needs(shellOf(form), "ruby"),
      run: ({ text }) => [shellOf(form), "-c", text],
      version: ["ruby", "-e", "puts RUBY_VERSION"],
      fails: true,
    });
  }
});
