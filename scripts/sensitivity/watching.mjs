// What is caught by watching alone, as a section of docs/sensitivity.md.
import { areas } from "../../dist/spec/catalogue.js";
import { table } from "../documents/table.mjs";

export const watchingTitle = "## By watching alone";

/** A fault is caught where the recording shows a violation of what the fault breaks. */
export const caughtIn = ({ job, watched }) =>
  watched !== undefined && [...watched.failed, ...watched.warned].includes(job.breaks);

/** A variant is blamed where the recording shows a violation of a MUST. */
export const blamedIn = ({ watched }) => watched === undefined || watched.failed.length > 0;

/** The section, from recorded full runs of all faults and variants. */
export const watchingSection = (results) => {
  const of = (kind) => results.filter(({ job }) => job.kind === kind);
  const faults = of("fault");
  const missed = faults.filter((result) => !caughtIn(result)).map(({ job }) => `\`${job.id}\` (${job.breaks})`);
  const blamed = of("variant")
    .filter(blamedIn)
    .map(({ job }) => `\`${job.id}\``);
  const row = (name, rows) => {
    const caught = rows.filter(caughtIn).length;
    return [name, `${rows.length}`, `${caught}`, `${Math.round((caught / rows.length) * 100)} %`];
  };
  return [
    watchingTitle,
    "",
    "Each of these runs is recorded (`run --record`) and the recording is judged (`judge`): what watching traffic shows without sending anything. A fault is caught if the requirement that it breaks has a violation. Bad credentials that nobody can tell from good ones, operations that may have been created earlier, and dropped connections are not judged there.",
    "",
    table(
      ["area", "faults", "caught by watching", "share"],
      [
        ...areas.map((area) =>
          row(
            area,
            faults.filter(({ job }) => job.area === area),
          ),
        ),
        row("all", faults),
      ],
    ),
    "",
    `Variants blamed by watching: ${blamed.length === 0 ? "none" : blamed.join(", ")} of ${of("variant").length}, the reference among them.`,
    "",
    `Not caught by watching: ${missed.length === 0 ? "none" : missed.join(", ")}.`,
  ].join("\n");
};
