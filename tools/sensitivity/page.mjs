// Makes the tables of docs/sensitivity.md from full runs of all faults and variants.
import { areas, requirementIds, requirementOf } from "../../dist/spec/catalogue.js";
import { table } from "../documents/markdown.mjs";
import { caughtOf, idsOf, judged, violates } from "./judged.mjs";

/**
 * Returns the parts of the page: how many servers were judged rightly, and which faults the
 * recordings of the runs do not show. `every`: the page is about each server of this number.
 */
export function partsOf(results, every) {
  const [faults, variants] = ["fault", "variant"].map((kind) =>
    results.filter(({ job }) => job.kind === kind),
  );
  return {
    measured: [dateText(every), faultsTable(faults), variantsText(variants)].join("\n\n"),
    unseen: unseenTable(faults.filter((result) => !isSeen(result))),
  };
}

function dateText(every) {
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long" });
  const sample = every > 1 ? `, with \`npm run sensitivity -- --write --every ${every}\`` : "";
  return `Measured on ${day}${sample}.`;
}

const isSeen = ({ job, watched }) => violates(watched, job.fault.breaks);

function faultsTable(faults) {
  const row = (name, own) => {
    const numbers = [
      own,
      caughtOf(own),
      own.filter((result) => judged(result).ok),
      own.filter(isSeen),
    ];
    return [name, ...numbers.map(({ length }) => String(length))];
  };
  return table(
    ["area", "faults", "caught", "rightly blamed", "caught by watching alone"],
    [
      ...areas.map((area) =>
        row(
          area,
          faults.filter(({ job }) => requirementOf(job.fault.breaks).area === area),
        ),
      ),
      row("all", faults),
    ],
  );
}

function variantsText(variants) {
  const having = (outcome) => variants.filter(({ run }) => run?.outcome === outcome).length;
  const blamed = variants.filter(
    ({ watched }) => watched !== undefined && idsOf(watched, "fail").length > 0,
  ).length;
  const clean = `${having("conformant")} of ${variants.length} variants are conformant, the reference server among them;`;
  return `${clean} ${having("inconclusive")} get no verdict. Watching alone blames ${blamed} of them.`;
}

/**
 * Returns a table of the faults that recordings do not show, by requirement. Prettier ignores the
 * table, because it would pad every cell to the length of the longest one.
 */
function unseenTable(faults) {
  const ids = requirementIds.filter((id) => faults.some(({ job }) => job.fault.breaks === id));
  const cells = ids.map((breaks) => [
    breaks,
    faults
      .filter(({ job }) => job.fault.breaks === breaks)
      .map(({ job }) => job.id)
      .toSorted()
      .join(", "),
  ]);
  const rows = table(["requirement", "faults that watching alone does not show"], cells);
  return `<!-- prettier-ignore-start -->\n\n${rows}\n\n<!-- prettier-ignore-end -->`;
}
