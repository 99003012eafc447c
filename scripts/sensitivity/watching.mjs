// The results of judging recordings: cells of the rows of docs/sensitivity.md, and the section about them.
import { areas, requirementOf } from "../../dist/spec/catalogue.js";
import { table } from "../documents/table.mjs";

export const watchingTitle = "## By watching alone";

/** A fault is caught if the recording shows a violation of the requirement that it breaks. */
const caughtIn = ({ job, watched }) => [...watched.failed, ...watched.warned].includes(job.breaks);

/** The cell of a row about the recording of its run; undefined if the recording was not judged. */
export const watchedCell = (result) => {
  const { job, watched } = result;
  if (watched === undefined) return undefined;
  if (job.kind === "fault") return caughtIn(result) ? "caught" : missed;
  return watched.failed.length === 0 ? clean : watched.failed.join(" ");
};

const missed = "missed";
const clean = "clean";

/** The section, from rows `{ breaks, watched }` of faults and `{ id, watched }` of variants. */
export const watchingSection = (faults, variants) => {
  const measured = faults.filter(({ watched }) => watched !== "");
  if (measured.length === 0) return "";
  const row = (name, rows) => {
    const caught = rows.filter(({ watched }) => watched !== missed).length;
    return [name, rows.length, caught, rows.length === 0 ? "" : `${Math.round((caught / rows.length) * 100)} %`].map(
      String,
    );
  };
  const areaOf = ({ breaks }) => requirementOf(breaks).area;
  const judged = variants.filter(({ watched }) => watched !== "");
  const blamed = judged.filter(({ watched }) => watched !== clean).map(({ id, watched }) => `\`${id}\` (${watched})`);
  return `${watchingTitle}

Each of these runs is recorded (\`run --record\`) and the recording is judged (\`judge\`): what watching traffic shows without sending anything. A fault is caught if the requirement that it breaks has a violation. Bad credentials that nobody can tell from good ones, operations that may have been created earlier, requests that were in flight at the same time, and dropped connections are not judged there.

${table(
  ["area", "faults", "caught by watching", "share"],
  [
    ...areas.map((area) =>
      row(
        area,
        measured.filter((fault) => areaOf(fault) === area),
      ),
    ),
    row("all", measured),
  ],
)}

Variants blamed by watching: ${blamed.length === 0 ? "none" : blamed.join(", ")}, of ${judged.length}, the reference among them.
`;
};
