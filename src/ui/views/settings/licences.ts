/**
 * Notices that third-party licences require. The page itself has the notice of Lightweight Charts, because that notice
 * must contain a link.
 */
export const NOTICES: readonly { readonly name: string; readonly text: string }[] = Object.freeze(
  [
    { name: "Alpine.js", text: "MIT, Caleb Porzio and contributors" },
    { name: "Tailwind CSS", text: "MIT, Tailwind Labs" },
    { name: "Neutralinojs", text: "MIT, Neutralinojs and contributors" },
    { name: "Node.js", text: "MIT, OpenJS Foundation and contributors" },
    { name: "ws", text: "MIT, Einar Otto Stangvik and contributors" },
    { name: "node-forge", text: "BSD 3-Clause, Digital Bazaar" },
    { name: "Valibot", text: "MIT, Fabian Hiller" },
    { name: "CodeMirror and Lezer", text: "MIT, Marijn Haverbeke and others" },
    { name: "env-paths", text: "MIT, Sindre Sorhus" },
    { name: "Lightweight Charts", text: "Apache 2.0, TradingView" },
  ].map((notice) => Object.freeze(notice)),
);
