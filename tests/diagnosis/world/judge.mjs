// Compares what was reported with the labels of a session.

const listOf = (value) => [value].flat();

/**
 * Whether the texts are equal or `wanted` occurs as a whole word: `203.0.113.7` in `203.0.113.7:443`, `MISS` in `MISS
 * from fra`.
 */
function says(said, wanted) {
  const text = String(said ?? "").toLowerCase();
  return listOf(wanted).some((one) => {
    const word = String(one)
      .toLowerCase()
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`(^|[^\\w.-])${word}($|[^\\w.-])`).test(text);
  });
}

function isThere({ endpoint, origin, client }, label) {
  if (label.path)
    return endpoint != null && label.path.test(endpoint.path) && (!label.origin || says(endpoint.origin, label.origin));
  if (!label.origin && !label.client) return true;
  const place = endpoint?.origin ?? origin;
  if (place && label.origin) return says(place, label.origin);
  return Boolean(client && label.client) && says(client, label.client);
}

/** Whether a finding matches a label, or any of a list of labels. */
export function matches(finding, label) {
  if (Array.isArray(label)) return label.some((one) => matches(finding, one));
  if (finding.kind !== label.kind || !isThere(finding, label)) return false;
  if (label.operation && !says(finding.endpoint?.operation, label.operation)) return false;
  if (!label.attribute) return true;
  const { name, value } = finding.attribute ?? {};
  const isNamed = listOf(label.attribute.name).some((one) => one.toLowerCase() === String(name).toLowerCase());
  return isNamed && (label.attribute.value === undefined || says(value, label.attribute.value));
}

/** `at1`, `at3`: how many of the session's causes are the first finding, and among the first three. */
export function judgeFindings({ truth, allowed }, findings) {
  const above = (count) =>
    truth.filter((label) => findings.slice(0, count + truth.length - 1).some((one) => matches(one, label))).length;
  const isRight = (finding) => [...truth, ...allowed].some((label) => matches(finding, label));
  return { causes: truth.length, at1: above(1), at3: above(3), wrong: findings.filter((finding) => !isRight(finding)) };
}

const keyOf = ({ from, to }) => `${from}>${to}`;

/**
 * Counts edges found, missed and invented. A proven edge must be reported as proven, one of order alone as sequential.
 * Invented edges are proven ones that do not exist, and order edges to an exchange that waited for another one.
 */
export function judgeLinks({ judged, proven, sequential, also, forbidden }, rows) {
  const own = rows.filter(({ to }) => judged.includes(to));
  const keysOf = (kind) => new Set(own.filter((row) => row.kind === kind).map(keyOf));
  const said = { proven: keysOf("proven"), sequential: keysOf("sequential") };
  const found = [
    ...proven.filter((edge) => said.proven.has(keyOf(edge))),
    ...sequential.filter((edge) => said.sequential.has(keyOf(edge))),
  ];
  const real = new Set([...proven, ...also].map(keyOf));
  const joins = new Map(sequential.map(({ from, to }) => [to, from]));
  const isInvented = ({ from, to, kind }) =>
    kind === "proven" ? !real.has(keyOf({ from, to })) : joins.has(to) && joins.get(to) !== from;
  return {
    found: found.length,
    missed: proven.length + sequential.length - found.length,
    invented: own.filter(isInvented).length,
    forbidden: forbidden.filter((edge) => said.proven.has(keyOf(edge))).length,
  };
}
