import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { environmentForms, plainForm, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, LONG_LIMIT, proxyUrl, type Target, type Values } from "../target.ts";

const routeHandler = ({ url }: Values) => `// app/api/probe/route.js
export const dynamic = "force-dynamic";

export async function GET() {
  const response = await fetch(${literal(url, "javascript")}, { cache: "no-store" });
  return Response.json({ status: response.status });
}
`;

const instrumentation = () => `// instrumentation.js, beside the folder app
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import("undici");
  setGlobalDispatcher(new EnvHttpProxyAgent());
}
`;

export const nextjs: Target = {
  slug: "nextjs",
  name: "Next.js",
  category: "Frameworks",
  summary: "Send a Next.js server's requests (route handlers, server components) through Weir.",
  also: ["React", "JavaScript", "TypeScript"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes three texts to copy: a route handler, the commands that start the dev server with Weir as its proxy, and a fallback for older Node.js. Weir watches for the probe.",
    manual: "Saving the files, starting the dev server, and opening the route.",
    changes: "One or two files in your project. The block affects only its terminal.",
    undo: `Delete the files and stop the dev server. ${UNDO_OF_BLOCK}`,
    needs:
      "Next.js with the app folder, on Node.js 22.21 or 24.5 and newer. Older versions of Node.js need the npm package undici 7.",
  },
  setup: (values) => [
    'Save the route handler of Snippets as app/api/probe/route.js. The package must not say "type": "commonjs".',
    {
      text: "Check the version of Node.js. Before 22.21, and from 24.0 to 24.4, add instrumentation.js too.",
      code: "node --version",
    },
    { text: "Start the dev server with the block from Snippets.", code: proxyUrl(values) },
    {
      text: "Open the route. The server, not the browser, requests the probe URL.",
      code: "http://localhost:3000/api/probe",
    },
    "Confirm the request in Validate. The test waits longer, because a dev server starts slowly.",
  ],
  userAgents: ["node"],
  variants: [
    {
      id: "route-handler",
      title: "Route handler",
      heading: "In the project",
      language: "javascript",
      note: "force-dynamic and no-store bypass Next.js's cache.",
      forms: [plainForm("Next.js 16", routeHandler)],
    },
    {
      id: "instrumentation",
      title: "instrumentation.js",
      heading: "In the project",
      language: "javascript",
      note: "Makes fetch use the proxy variables on a Node.js that ignores NODE_USE_ENV_PROXY.",
      forms: [plainForm("Next.js 16 on Node.js 20", instrumentation, "Node.js 20 to 22.20", "npm install undici@7")],
    },
    {
      id: "environment",
      title: "Environment",
      heading: "The dev server",
      language: "text",
      note: "NODE_USE_ENV_PROXY makes the server's fetch use the variables, NODE_EXTRA_CA_CERTS adds Weir's root. Both are read once, when the server starts. Node.js before 22.21 silently ignores the first: add instrumentation.js.",
      inTest: true,
      forms: environmentForms({
        extra: [
          ["NODE_USE_ENV_PROXY", () => "1"],
          ["NODE_EXTRA_CA_CERTS", (values) => values.ca],
        ],
        command: () => "npx next dev",
        ran: { sh: "Next.js 16 on Node.js 26" },
      }),
    },
  ],
  probe: exactProbe("Open http://localhost:3000/api/probe while the dev server runs.", LONG_LIMIT),
  knownErrors: [
    untrusted(
      "TypeError: fetch failed … self-signed certificate in certificate chain",
      "Stop the dev server, paste the block again and start it in the same terminal.",
    ),
    {
      text: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      meaning:
        "The certificate was probably not Weir's: the dev server's fetch bypassed Weir, because this Node.js ignores NODE_USE_ENV_PROXY.",
      fix: "Add instrumentation.js, or use Node.js 22.21 or 24.5 and newer.",
    },
    refused("TypeError: fetch failed … ECONNREFUSED"),
    bypassed("The block does not cover the browser's own requests, the edge runtime, or a cached fetch."),
    ...CERTIFICATE_ERRORS,
  ],
};
