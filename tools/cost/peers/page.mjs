// The tables of docs/comparison.md.
import { table, writeParts } from "../../documents/markdown.mjs";
import { median } from "../../numbers.mjs";

export const writePage = async (results, { faults, variants }, seed) => {
  const measured = results.filter(({ skipped }) => skipped === undefined);
  const names = measured.map(({ tool }) => tool.name);
  const skipped = results.flatMap(({ tool, skipped: why }) => (why === undefined ? [] : [`- ${tool.name}: ${why}`]));
  const date = new Date().toISOString().slice(0, 10);
  const size = `${faults.length} faults and ${variants.length} variants`;
  const columns = ["faults caught", "variants clean", "warned", "seconds a run", "requests a run", "cut off"];
  const words = (kind, id) =>
    measured.map(({ rows }) => wordOf(rows.find((row) => row.kind === kind && row.id === id)));
  const faultRows = faults.map(({ id, breaks, about }) => [`\`${id}\`: ${about}`, breaks, ...words("fault", id)]);
  const variantRows = variants.map(({ id, about }) => [`\`${id}\`: ${about}`, ...words("variant", id)]);
  await writeParts("comparison.md", {
    table: [
      `Measured on ${date} with seed ${seed}: ${size}.`,
      table(["tool", "version", ...columns], measured.map(totals)),
      ...(skipped.length > 0 ? ["Not measured:", skipped.join("\n")] : []),
      "Faults caught, by the area of the requirement that they break:",
      table(["area", "faults", ...names], byArea(faults, measured)),
    ].join("\n\n"),
    details: [
      table(["fault", "breaks", ...names], faultRows.map(withBlanks)),
      table(["variant", ...names], variantRows.map(withBlanks)),
    ].join("\n\n"),
  });
};

/** A fault is caught by a failure or a warning. A variant is `blamed` by a failure, and `warned` if there are only warnings. */
export const outcomeOf = ({ kind, timedOut, failures, warnings }) => {
  if (timedOut) return "cut off";
  if (kind === "fault") return failures.length + warnings.length > 0 ? "caught" : "missed";
  return failures.length > 0 ? "blamed" : warnings.length > 0 ? "warned" : "clean";
};

const wordOf = (row) => (row === undefined ? "" : outcomeOf(row));
const withBlanks = (cells) => cells.map((cell) => (cell === "missed" || cell === "clean" ? "" : cell));

function totals({ tool, plain, rows }) {
  const of = (kind) => rows.filter((row) => row.kind === kind).length;
  const count = (outcome) => rows.filter((row) => outcomeOf(row) === outcome).length;
  return [
    tool.name,
    tool.version,
    `${count("caught")} of ${of("fault")}`,
    `${count("clean")} of ${of("variant")}`,
    String(count("warned")),
    (Math.min(...plain.map(({ ms }) => ms)) / 1000).toFixed(1),
    String(median(plain.map(({ requests }) => requests))),
    String(count("cut off")),
  ];
}

/** The area of the requirement that a fault breaks: `AUTH-01` is of AUTH. */
export const areaOf = ({ breaks }) => breaks.split("-")[0];

/** How many of the faults of each area each tool caught. */
function byArea(faults, measured) {
  return [...new Set(faults.map(areaOf))].map((area) => {
    const ids = faults.filter((fault) => areaOf(fault) === area).map(({ id }) => id);
    const caughtOf = ({ rows }) => rows.filter((row) => outcomeOf(row) === "caught" && ids.includes(row.id)).length;
    return [area, ...[ids.length, ...measured.map(caughtOf)].map(String)];
  });
}
