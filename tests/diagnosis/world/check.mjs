// `node check.mjs` checks that the classes generate valid HAR files, and the same files for the same seed.
import { argv, exit } from "node:process";
import { Random } from "./random.mjs";

/** Sentences about impossible values in a HAR file, at most `most`. */
export function problemsOf(har, most = 5) {
  const problems = [];
  const require = (isRight, entry, sentence) => {
    if (!isRight && problems.length < most)
      problems.push(`entry ${entries.indexOf(entry) + 1}, ${entry.request.url}: ${sentence}`);
  };
  const { entries } = har.log;
  const startOf = ({ startedDateTime: text }) =>
    Date.parse(`${text.slice(0, 23)}Z`) + Number(text.slice(23, 26)) / 1_000;
  const near = (one, other) => Math.abs(one - other) < 0.003;
  for (const [index, entry] of entries.entries()) {
    const {
      time,
      timings: { blocked, dns, connect, ssl, send, wait, receive },
      request,
      response,
    } = entry;
    const applies = [blocked, dns, connect, send, wait, receive].filter((length) => length > 0);
    require(near(
      time,
      applies.reduce((sum, length) => sum + length, 0),
    ), entry, "its phases do not add up to its time");
    require(send >= 0 && wait >= 0 && receive >= 0 && ssl <= connect, entry, "a phase is impossible");
    require(dns < 0 || connect > 0, entry, "a name was looked up and nothing dialled");
    require(index === 0 || startOf(entries[index - 1]) <= startOf(entry), entry, "it stands out of order");
    const { size, compression, text } = response.content;
    require(text === undefined || Buffer.byteLength(text) === size, entry, "its body is not as long as it says");
    require(response.bodySize < 0 || response.bodySize === size - (compression ?? 0), entry, "its sizes do not fit");
    require(![204, 304].includes(response.status) || size === 0, entry, "a response without a body has one");
    require(!request.postData?.text ||
      Buffer.byteLength(request.postData.text) ===
        request.bodySize, entry, "its request body is not as long as it says");
  }
  for (const field of ["connection", "_clientConnection"]) {
    for (const carried of groupsOf(entries, (entry) => entry[field])) {
      const [first, ...later] = carried.sort((one, other) => fromOf(one) - fromOf(other));
      const reached = new Map();
      for (const entry of carried) {
        require(entry.serverIPAddress === first.serverIPAddress ||
          field !== "connection", entry, "its connection leads elsewhere");
        require(entry._client === first._client, entry, "its connection is of another client");
        require(entry.response.httpVersion === "h2" ||
          fromOf(entry) >= (reached.get(field) ?? 0) - 0.003, entry, `its ${field} was busy`);
        reached.set(field, startOf(entry) + entry.time);
      }
      if (field !== "connection") continue;
      require(first.timings.connect >= 0 && !first._reused, first, "its connection was never opened");
      for (const entry of later)
        require(entry.timings.connect < 0 && entry._reused, entry, "its connection was opened twice");
    }
  }
  return problems;

  /** When the connection was available. */
  function fromOf(entry) {
    return startOf(entry) + entry.timings.blocked;
  }
}

function groupsOf(list, keyOf) {
  const groups = new Map();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups.values();
}

/** Generates each class twice for each seed, prints the problems, and returns their number. */
export async function checkFiles(classes, seeds) {
  let wrong = 0;
  for (const { name, make } of classes)
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { har } = await make(new Random(`${name} ${seed}`));
      const again = await make(new Random(`${name} ${seed}`));
      const problems = problemsOf(har);
      if (JSON.stringify(har) !== JSON.stringify(again.har)) problems.push("the same seed gives two files");
      for (const problem of problems) console.log(`SHORT ${name} seed ${seed}: ${problem}`);
      wrong += problems.length > 0 ? 1 : 0;
    }
  return wrong;
}

if (argv[1] === import.meta.filename) {
  const { scenarios, healthy, chains } = await import("./examples.mjs");
  const classes = [...scenarios, ...healthy, ...chains];
  const wrong = await checkFiles(classes, 2);
  console.log(
    `${classes.length} classes, 2 seeds each: ${wrong === 0 ? "all files are possible, and the same twice" : `${wrong} files are wrong`}`,
  );
  exit(wrong === 0 ? 0 : 1);
}
