import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildCache } from "../../support/build-cache.ts";
import { describe } from "../../support/describe.ts";
import type { Place } from "../../support/proof.ts";
import { prove } from "../../support/proof.ts";
import { needs } from "../../support/which.ts";

/** Debian's sources of resty and its dependencies: golang-github-go-resty-resty-dev. */
const GOCODE = "/usr/share/gocode/src";
const RESTY = `${GOCODE}/github.com/go-resty/resty`;

const skip = needs("go");

/** Before 1.14 a vendor folder need not match the module's requirements. */
const STANDARD_MODULE = "module probe\n\ngo 1.13\n";

const RESTY_MODULE = `${STANDARD_MODULE}
require github.com/go-resty/resty/v2 v2.6.0
`;

/** The packages that resty needs, as `go mod vendor` would list them; their folders are links to Debian's. */
const VENDORED = `# github.com/go-resty/resty/v2 v2.6.0
## explicit
github.com/go-resty/resty/v2
# golang.org/x/net v0.7.0
golang.org/x/net/publicsuffix
`;

/** A program without proxy settings: the environment alone must route it to Weir. */
const PLAIN_PROGRAM = (url: string) => `package main

import (
	"fmt"
	"log"
	"net/http"
)

func main() {
	response, err := http.Get(${JSON.stringify(url)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode)
}
`;

function withResty(place: Place): readonly (readonly string[])[] {
  const vendor = join(place.folder, "vendor");
  mkdirSync(join(vendor, "github.com/go-resty/resty"), { recursive: true });
  mkdirSync(join(vendor, "golang.org/x"), { recursive: true });
  symlinkSync(RESTY, join(vendor, "github.com/go-resty/resty/v2"));
  symlinkSync(`${GOCODE}/golang.org/x/net`, join(vendor, "golang.org/x/net"));
  place.saved("vendor/modules.txt", VENDORED);
  return built(({ text }) => text, RESTY_MODULE)(place);
}

/** Nothing is downloaded: modules come from Debian's folders. */
const env = () => ({
  GOCACHE: buildCache("go"),
  GOPATH: buildCache("gopath"),
  GOPROXY: "off",
  GOSUMDB: "off",
  CGO_ENABLED: "0",
});

const built = (program: (place: Place) => string, module: string) => (place: Place) => {
  place.saved("go.mod", module);
  place.saved("main.go", program(place));
  return [["go", "build", "-o", "probe", "."]];
};

describe("Go, with the real clients", (test) => {
  prove(test, {
    form: "go/net-http",
    skip,
    env: env(),
    before: built(({ text }) => text, STANDARD_MODULE),
    run: () => ["./probe"],
    version: ["go", "version"],
    fails: true,
  });

  prove(test, {
    form: "go/resty",
    skip: skip ?? (existsSync(RESTY) ? null : `needs resty in ${RESTY}`),
    env: { ...env(), GOFLAGS: "-mod=vendor" },
    before: withResty,
    run: () => ["./probe"],
    version: ["sed", "-n", 's/^const Version = "\\(.*\\)"/\\1/p', `${RESTY}/resty.go`],
    fails: true,
  });

  prove(test, {
    form: "go/environment#sh",
    skip,
    env: env(),
    before: built(({ values }) => PLAIN_PROGRAM(values.url), STANDARD_MODULE),
    run: ({ text }) => ["sh", "-c", text],
    version: ["go", "version"],
    fails: true,
  });
});
