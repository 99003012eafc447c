// What is caught by watching alone, as a section of docs/sensitivity.md.
import { areas } from "../../dist/spec/catalogue.js";
import { table } from "../documents/table.mjs";

/** A fault is caught where the recording shows a violation of what the fault breaks. */
export const caughtIn = ({ job, watched }) =>
  watched !== undefined && [...watched.failed, ...watched.warned].includes(job.breaks);

/** A variant is blamed where the recording shows a violation of a MUST. */
export const blamedIn = ({ watched }) => watched === undefined || watched.failed.length > 0;

/** The page with the section, from these results out of `all` faults and variants. */
export const withWatching = (page, results, all) => {
  const faults = results.filter(({ job }) => job.kind === "fault");
  const variants = results.filter(({ job }) => job.kind === "variant");
  const row = (name, rows) => {
    const caught = rows.filter(caughtIn).length;
    return [
      name,
      `${rows.length}`,
      `${caught}`,
      rows.length === 0 ? "" : `${Math.round((caught / rows.length) * 100)} %`,
    ];
  };
  const missed = faults.filter((result) => !caughtIn(result)).map(({ job }) => `\`${job.id}\` (${job.breaks})`);
  const section = [
    "## By watching alone",
    "",
    "A full run against each server is recorded (`run --record`) and the recording is judged (`judge`): what watching traffic shows without sending anything. A fault is caught if the requirement that it breaks has a violation. Bad credentials that nobody can tell from good ones, operations that may have been created earlier, and dropped connections are not judged there.",
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
    `Measured: ${measured(faults.length, all.faults, "faults")} and ${measured(variants.length, all.variants, "variants, the reference among them")}. Variants blamed: ${variants.filter(blamedIn).length}.`,
    "",
    ...(missed.length === 0 ? [] : [`Not caught by watching: ${missed.join(", ")}.`, ""]),
    "Written by `npm run watching -- --write`, which takes an hour or two; with `--every 12` it measures every twelfth server.",
    "",
    "",
  ].join("\n");
  const before = page.indexOf("## By watching alone");
  const rest = before < 0 ? page.indexOf("## Faults") : page.indexOf("## Faults", before);
  return page.slice(0, before < 0 ? rest : before) + section + page.slice(rest);
};

const measured = (count, of, what) => (count === of ? `all ${of} ${what}` : `${count} of ${of} ${what}`);
