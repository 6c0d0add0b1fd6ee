// Plain JavaScript, because an old Node cannot parse the other files and would print a syntax error instead of a
// sentence.
const NEEDED = 26;

if (Number(process.versions.node.split(".")[0]) < NEEDED) {
  console.error(
    `Weir needs Node.js ${NEEDED} or newer, and this is ${process.version}.\n` +
      "npm install brings a fitting Node along for Linux, macOS and Windows (x64, and arm64 on Linux and macOS), " +
      "but not with --omit=optional; where --ignore-scripts is set, npm rebuild puts it in its place. " +
      "Elsewhere, install Node.js yourself.",
  );
  process.exit(70);
}
