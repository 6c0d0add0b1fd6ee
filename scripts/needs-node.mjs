// Plain JavaScript, because an old Node cannot parse the other files and would print a syntax error instead of a
// sentence.
const NEEDED = 26;

if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  console.error(
    `Weir needs Node.js ${NEEDED} or newer, and this is ${process.version}.\n` +
      "npm install also installs a suitable Node on Linux, macOS and Windows (x64, and arm64 on Linux and macOS), " +
      "but not with --omit=optional; with --ignore-scripts, run npm rebuild afterwards. " +
      "Elsewhere, install Node.js yourself.",
  );
  process.exit(70);
}
