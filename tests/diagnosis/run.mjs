// Measures the report against sessions with a known cause: [SEEDS=3] [FIRST=1] [ONLY=regex] node run.mjs
import { causes } from "./causes.mjs";
import { dependencies } from "./dependencies.mjs";
import { sound } from "./healthy.mjs";
import { links } from "./links.mjs";
import * as examples from "./world/examples.mjs";
import { runSuite } from "./world/suite.mjs";

await runSuite({
  scenarios: [...examples.scenarios, ...causes],
  healthy: [...examples.healthy, ...sound],
  chains: [...examples.chains, ...dependencies, ...links],
});
