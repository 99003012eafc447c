// docs/sensitivity.md: read into rows, changed by the results of a matrix, and written again.
import { median } from "../median.mjs";
import { caughtOf, judged } from "./judged.mjs";
import { watchedCell, watchingSection, watchingTitle } from "./watching.mjs";

/** The page after a matrix of all faults and variants. Only the table of seeds is kept. */
export const pageOf = (results, now) =>
  written({
    ...read(now),
    faults: faultRows(results),
    variants: variantRows(results),
    run: runRows(results),
  });

/**
 * The page with the rows of these results added or replaced, and without the rows of servers that no longer exist.
 * What was measured over the whole matrix (requests and settings) stays as it is.
 */
export const withResults = (now, results, { faults, variants }) => {
  const page = read(now);
  const known = ({ id }) => id === "reference" || [...faults, ...variants].some((server) => server.id === id);
  return written({
    ...page,
    faults: merged(page.faults, faultRows(results)).filter(known),
    variants: merged(page.variants, variantRows(results)).filter(known),
  });
};

/** The page with the results of several seeds, in place of those of the same servers. */
export const withSeeds = (now, results) => {
  const page = read(now);
  const made = ["fault", "variant"].flatMap((kind) => {
    const rows = results.filter(({ job }) => job.kind === kind);
    if (rows.length === 0) return [];
    const servers = new Set(rows.map(({ job }) => job.id));
    const seeds = new Set(rows.map(({ job }) => job.seed)).size;
    const right = rows.filter((row) => judged(row).ok).length;
    return [
      { id: kind === "fault" ? `${servers.size} faults` : [...servers].join(", "), rest: [seeds, rows.length, right] },
    ];
  });
  return written({ ...page, seeds: merged(page.seeds, made) });
};

/** A line for each fault and variant that the page lacks, and for each that it has and that no longer exists. */
export const listedIn = (text, { faults, variants }) => {
  const page = read(text);
  const listed = new Set([...page.faults, ...page.variants].map(({ id }) => id));
  const known = new Set([...faults, ...variants].map(({ id }) => id).concat("reference"));
  return [
    ...[...known]
      .filter((id) => !listed.has(id))
      .map((id) => `docs/sensitivity.md does not have ${id}: npm run sensitivity -- --only ${id} --write`),
    ...[...listed].filter((id) => !known.has(id)).map((id) => `docs/sensitivity.md has ${id}, which no longer exists`),
  ];
};

/** Marks of rows with a wrong result. */
const missed = "**missed**";
const inexact = "**inexact**";

const faultRows = (results) => {
  const rows = results.filter(({ job }) => job.kind === "fault");
  const caught = new Set(caughtOf(rows));
  return sorted(
    rows.map((row) => {
      const { job, failed = [], warned = [] } = row;
      const mark = judged(row).ok ? "" : ` ${caught.has(row) ? inexact : missed}`;
      const besides = [...failed, ...warned].filter((id) => id !== job.breaks).join(" ");
      return { id: job.id, rest: [`${job.breaks}${mark}`, besides, watchedCell(row)] };
    }),
  );
};

const variantRows = (results) =>
  sorted(
    results
      .filter(({ job }) => job.kind === "variant")
      .map((row) => {
        const { job, outcome = "none", warned = [], requests = 0, durationMs = 0 } = row;
        return {
          id: job.id,
          rest: [outcome, requests, (durationMs / 1000).toFixed(1), warned.join(" "), watchedCell(row)],
        };
      }),
  );

const runRows = (results) => {
  const requests = results.map((row) => row.requests ?? 0);
  const seed = results[0]?.job.seed ?? "";
  return [
    {
      id: "requests a run, median and most",
      rest: [`${median(requests)}, ${Math.max(0, ...requests)}`],
    },
    {
      id: "settings",
      rest: [
        `the defaults, seed ${seed}, two currency pairs, the purpose IMPORT; a time-out of 1.5 s for faults that never answer`,
      ],
    },
  ];
};

const sorted = (rows) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const mostRequestsFirst = (rows) => sorted(rows).toSorted((a, b) => Number(b.rest[1]) - Number(a.rest[1]));

/** The old rows and the new ones. A new row replaces the one with its id, and keeps cells that were not measured again. */
const merged = (old, made) => {
  const before = new Map(old.map((row) => [row.id, row]));
  const ids = new Set(made.map(({ id }) => id));
  return [
    ...old.filter(({ id }) => !ids.has(id)),
    ...made.map(({ id, rest }) => ({ id, rest: rest.map((cell, n) => cell ?? before.get(id)?.rest[n]) })),
  ];
};

/** The rows of each table: the first cell as `id`, the others as `rest`. */
const read = (text) => {
  const under = (from, to) => rowsOf(text.slice(text.indexOf(from), to === undefined ? undefined : text.indexOf(to)));
  return {
    run: rowsOf(text).filter(({ id }) => id === "settings" || id.startsWith("requests ")),
    seeds: under("## Seeds", text.includes(watchingTitle) ? watchingTitle : "## Faults"),
    faults: under("## Faults", "## Variants"),
    variants: under("## Variants"),
  };
};

/** The rows of all tables, without their heads. */
const rowsOf = (text) =>
  [...text.matchAll(/^\|(.*)\|$(?!\n\| *-)/gm)]
    .map(([, row]) => row.split("|").map((cell) => cell.trim()))
    .filter(([id]) => !/^-+$/.test(id))
    .map(([id, ...rest]) => ({ id, rest }));

const written = ({ run, seeds, faults, variants }) => `# Sensitivity

How often the suite is wrong, measured on servers whose behaviour is known. Each fault is one small change to the
reference server that breaks one requirement; each variant differs from it in a way that the specification leaves open.

${table(
  ["measured", ""],
  [
    { id: "faults caught", rest: [`${faults.filter(lacks(missed)).length} of ${faults.length}`] },
    {
      id: "blamed on what they break, where they break it, and nothing else",
      rest: [faults.filter(lacks(missed)).filter(lacks(inexact)).length],
    },
    {
      id: "variants clean, the reference among them",
      rest: [`${variants.filter(({ rest: [outcome] }) => outcome === "conformant").length} of ${variants.length}`],
    },
    ...run,
  ],
)}

\`npm run sensitivity -- --write\` measures everything and writes this page and [what requests are worth](measurements.md#what-requests-are-worth); with \`--only id,id\` it adds or replaces the
rows of some servers. \`npm run sensitivity -- --check\` runs with every change: for each fault it checks the requirement
that the fault breaks, and it leaves out the slow variants.

## Seeds

The same under several seeds. For a fault, a run checks the requirement that it breaks, and a full run follows where
that misses it; variants get full runs. Written by
\`npm run sensitivity -- --check --kind fault --seeds 20 --write\`, and for variants with \`--kind variant\`, \`--only\` and
50 seeds.

${table(["servers", "seeds", "runs", "right"], seeds)}

${watchingSection(
  faults.map(({ rest: [breaks, , watched = ""] }) => ({ breaks: breaks.split(" ")[0], watched })),
  variants.map(({ id, rest: [, , , , watched = ""] }) => ({ id, watched })),
)}
## Faults

${folded(`${faults.length} faults and the requirement that each breaks`, table(["fault", "breaks", "blamed besides", "by watching"], sorted(faults)))}

## Variants

Those that take most requests come first. The seconds are those of one machine with two cores, on which several runs
go on at the same time.

${folded(`${variants.length} variants and the outcome of each`, table(["variant", "outcome", "requests", "seconds", "warnings", "by watching"], mostRequestsFirst(variants)))}
`;

const lacks =
  (mark) =>
  ({ rest: [breaks] }) =>
    !breaks.includes(mark);

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows.map(({ id, rest }) => head.map((_, n) => (n === 0 ? id : (rest[n - 1] ?? ""))))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

/** A collapsed section. The cells of these long tables are not padded. */
const folded = (summary, content) => `<details>
<summary>${summary}</summary>

<!-- prettier-ignore-start -->

${content}

<!-- prettier-ignore-end -->

</details>`;
