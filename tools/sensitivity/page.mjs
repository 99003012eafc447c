// Makes the tables of docs/sensitivity.md from full runs of all deviations.
import { areas, requirementIds, requirementOf } from "../../dist/spec/catalogue.js";
import { table } from "../documents/markdown.mjs";
import { faultOf } from "./jobs.mjs";
import { idsOf, isCaught, wrongIn } from "./judged.mjs";

/**
 * Returns the parts of the page: how many servers were judged rightly, and which faults the
 * recordings of the runs do not show.
 */
export function partsOf(results) {
  const faults = results.filter(({ job }) => faultOf(job) !== undefined);
  const variants = results.filter(({ job }) => faultOf(job) === undefined);
  return {
    measured: [
      `Measured on ${new Date().toLocaleDateString("en-GB", { dateStyle: "long" })}.`,
      faultsTable(faults),
      variantsText(variants),
    ].join("\n\n"),
    unseen: unseenTable(faults.filter((result) => !isSeen(result))),
  };
}

const breaksOf = ({ job }) => faultOf(job).breaks;
const isSeen = ({ job, watched }) => isCaught({ job, run: watched });

function faultsTable(faults) {
  const row = (name, own) => {
    const right = own.filter((result) => isCaught(result) && wrongIn(result) === undefined);
    const counted = [own, own.filter(isCaught), right, own.filter(isSeen)];
    return [name, ...counted.map(({ length }) => String(length))];
  };
  const ofArea = (area) => faults.filter((one) => requirementOf(breaksOf(one)).area === area);
  return table(
    ["area", "faults", "caught", "rightly blamed", "caught by watching alone"],
    [...areas.map((area) => row(area, ofArea(area))), row("all", faults)],
  );
}

function variantsText(variants) {
  const having = (outcome) => variants.filter(({ run }) => run?.outcome === outcome).length;
  const blamed = variants.filter(({ watched }) => watched && idsOf(watched, "fail").length > 0);
  const clean = `${having("conformant")} of ${variants.length} variants are conformant, the reference server among them;`;
  return `${clean} ${having("inconclusive")} get no verdict. Watching alone blames ${blamed.length} of them.`;
}

/**
 * Returns a table of the faults that recordings do not show, by requirement. Prettier ignores the
 * table, because it would pad every cell to the length of the longest one.
 */
function unseenTable(faults) {
  const cells = requirementIds.flatMap((id) => {
    const own = faults.filter((one) => breaksOf(one) === id).map((one) => faultOf(one.job).id);
    return own.length === 0 ? [] : [[id, own.toSorted().join(", ")]];
  });
  const rows = table(["requirement", "faults that watching alone does not show"], cells);
  return `<!-- prettier-ignore-start -->\n\n${rows}\n\n<!-- prettier-ignore-end -->`;
}
