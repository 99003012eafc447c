// The tables of docs/comparison.md, which `npm run peers` writes between markers.
import { withPart } from "../../scripts/documents/marked-part.mjs";
import { median } from "../../scripts/median.mjs";

/** The page with new tables. */
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
  return withPart(withPart(page, "table", table.join("\n\n")), "details", details.join("\n\n"));
};

/** A fault is caught by a failure or a warning. A variant is `blamed` by a failure, and `warned` if there are only warnings. */
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
    String(median(plain.map(({ requests }) => requests))),
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

/** Empty for a missed fault and a clean variant. */
function wordOf({ rows }, kind, id) {
  const row = rows.find((one) => one.kind === kind && one.id === id);
  const outcome = row === undefined ? "" : outcomeOf(row);
  return outcome === "missed" || outcome === "clean" ? "" : outcome;
}

/** The first row is the head. */
const rowsOf = ([head, ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escaped).join(" | ")} |`).join("\n");

const escaped = (text) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
