// docs/comparison.md: what was measured stands between its markers, and is written again by `npm run peers`.

/** The page with its tables of today. */
export const pageWith = (page, { results, sample, seed }) => {
  const measured = results.filter(({ skipped }) => skipped === undefined);
  const skipped = results.filter((result) => result.skipped !== undefined);
  const { faults, variants } = sample;
  const dates = [...new Set(measured.map(({ date }) => date))];
  const table = [
    `Measured on ${dates.join(" and ")} with seed ${seed}: ${faults.length} faults and ${variants.length} variants.`,
    rowsOf([
      ["tool", "version", "faults caught", "variants clean", "warned", "seconds a run", "requests a run", "cut off"],
      ...measured.map(totals),
    ]),
    ...(skipped.length > 0
      ? ["Not measured:", skipped.map(({ tool, skipped: why }) => `- ${tool.name}: ${why}`).join("\n")]
      : []),
    "Faults caught, by the area of the requirement that they break:",
    rowsOf([["area", "faults", ...measured.map(({ tool }) => tool.name)], ...byArea(faults, measured)]),
  ];
  const details = [
    rowsOf([
      ["fault", "breaks", ...measured.map(({ tool }) => tool.name)],
      ...faults.map((fault) => faultRow(fault, measured)),
    ]),
    rowsOf([
      ["variant", ...measured.map(({ tool }) => tool.name)],
      ...variants.map((one) => variantRow(one, measured)),
    ]),
  ];
  return between(between(page, "table", table), "details", details);
};

/** A fault is caught by a failure or a warning. A variant is blamed by a failure; `warned` by a warning alone. */
export const outcomeOf = ({ kind, timedOut, failures, warnings }) => {
  if (timedOut) return "cut off";
  if (kind === "fault") return failures.length + warnings.length > 0 ? "caught" : "missed";
  return failures.length > 0 ? "blamed" : warnings.length > 0 ? "warned" : "clean";
};

function totals({ tool, plain, rows }) {
  const of = (kind) => rows.filter((row) => row.kind === kind);
  const count = (outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  return [
    tool.name,
    tool.version,
    `${count("caught")} of ${of("fault").length}`,
    `${count("clean")} of ${of("variant").length}`,
    String(count("warned")),
    (Math.min(...plain.map(({ ms }) => ms)) / 1000).toFixed(1),
    String(middle(plain.map(({ requests }) => requests))),
    String(count("cut off")),
  ];
}

const areaOf = ({ breaks }) => breaks.split("-")[0];
const caught = ({ rows }, id) =>
  rows.some((row) => row.kind === "fault" && row.id === id && outcomeOf(row) === "caught");

const byArea = (faults, measured) =>
  [...new Set(faults.map(areaOf))].map((area) => {
    const inArea = faults.filter((fault) => areaOf(fault) === area);
    return [
      area,
      String(inArea.length),
      ...measured.map((result) => String(inArea.filter(({ id }) => caught(result, id)).length)),
    ];
  });

const faultRow = ({ id, breaks, about }, measured) => [
  `\`${id}\`: ${about}`,
  breaks,
  ...measured.map((result) => wordOf(result, "fault", id)),
];

const variantRow = ({ id, about }, measured) => [
  `\`${id}\`: ${about}`,
  ...measured.map((result) => wordOf(result, "variant", id)),
];

/** What is as usual leaves its cell empty. */
function wordOf({ rows }, kind, id) {
  const row = rows.find((one) => one.kind === kind && one.id === id);
  const outcome = row === undefined ? "" : outcomeOf(row);
  return outcome === "missed" || outcome === "clean" ? "" : outcome;
}

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The first row is the head. */
const rowsOf = ([head, ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escaped).join(" | ")} |`).join("\n");

const escaped = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

/** The page with this text between `<!-- name -->` and `<!-- /name -->`. */
function between(page, name, blocks) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [page.indexOf(open), page.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`docs/comparison.md lacks the markers ${open} and ${close}`);
  return `${page.slice(0, start + open.length)}\n\n${blocks.join("\n\n")}\n\n${page.slice(end)}`;
}
