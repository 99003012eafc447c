// docs/sensitivity.md, from the results of a full matrix.
import { caughtOf, judged } from "./judged.mjs";

const seedsHead = "| servers | seeds | runs | right |\n| --- | --- | --- | --- |";

/**
 * The page: what was measured, each fault with the requirement that caught it, each variant with its verdict. Its table
 * of seeds is taken over from the page as it is.
 */
export const pageOf = (results, now) => {
  const rows = [...results].sort((a, b) => (a.job.id < b.job.id ? -1 : 1));
  const faults = rows.filter(({ job }) => job.kind === "fault");
  const variants = rows.filter(({ job }) => job.kind === "variant");
  const right = faults.filter((row) => judged(row).ok);
  const clean = variants.filter((row) => judged(row).ok);
  const requests = rows.map((row) => row.requests ?? 0).sort((a, b) => a - b);
  return `# Sensitivity

How often the suite is wrong, measured on servers whose faults are known. Each fault is one small change to the
reference server that breaks one requirement; each variant differs from it in a way that the specification leaves open.
Made by \`npm run sensitivity -- --write\`; checked with every change by \`npm run sensitivity -- --check\`, which asks
each fault about what it breaks and leaves the slow variants out.

| measured | |
| --- | --- |
| faults caught | ${caughtOf(faults).length} of ${faults.length} |
| blamed on what they break, where they break it, and nothing else | ${right.length} |
| variants clean, the reference among them | ${clean.length} of ${variants.length} |
| requests a run, median and most | ${requests[Math.floor(requests.length / 2)] ?? 0}, ${requests.at(-1) ?? 0} |
| settings | the defaults, seed ${rows[0]?.job.seed ?? ""}, two currency pairs, the purpose IMPORT; a time-out of 1.5 s for faults that never answer |

## Seeds

Servers that were asked under several seeds: faults about what they break (those that show only now and then first),
and in full where that misses them; variants in full.
Made by \`npm run sensitivity -- --check --kind fault --seeds 20 --write\`, and for variants with \`--kind variant\`,
\`--only\` and 50 seeds.

${[seedsHead, ...seedRowsOf(now)].join("\n")}

## Faults

| fault | breaks | blamed besides |
| --- | --- | --- |
${faults.map((row) => `| ${row.job.id} | ${row.job.breaks}${judged(row).ok ? "" : " **missed**"} | ${besides(row)} |`).join("\n")}

## Variants

| variant | outcome | warnings |
| --- | --- | --- |
${variants.map((row) => `| ${row.job.id} | ${row.outcome ?? "none"} | ${(row.warned ?? []).join(" ")} |`).join("\n")}
`;
};

/** The page with rows for the results of several seeds, in place of those of the same servers. */
export const withSeeds = (now, results) => {
  const named = (row) => row.split("|")[1].trim();
  const made = ["fault", "variant"].flatMap((kind) => {
    const rows = results.filter(({ job }) => job.kind === kind);
    if (rows.length === 0) return [];
    const servers = new Set(rows.map(({ job }) => job.id));
    const told = kind === "fault" ? `${servers.size} faults` : [...servers].join(", ");
    const right = rows.filter((row) => judged(row).ok).length;
    return [`| ${told} | ${new Set(rows.map(({ job }) => job.seed)).size} | ${rows.length} | ${right} |`];
  });
  const kept = seedRowsOf(now).filter((row) => !made.some((other) => named(other) === named(row)));
  const [before, after] = [now.slice(0, now.indexOf("| servers")), now.slice(now.indexOf("## Faults"))];
  return `${before}${[seedsHead, ...kept, ...made].join("\n")}\n\n${after}`;
};

const seedRowsOf = (text) =>
  /^\| servers .*\n.*\n((?:\|.*\n)*)/m
    .exec(text)?.[1]
    .split("\n")
    .filter((row) => row !== "") ?? [];

const besides = ({ job, failed = [], warned = [] }) =>
  [...failed, ...warned].filter((id) => id !== job.breaks).join(" ");

/** What the page and the tables do not share: faults and variants that the page does not have, or has and are no more. */
export const listedIn = (text, { faults, variants }) => {
  // The first cell of each row: names in the tables are of letters, digits and hyphens, and a rule is of hyphens alone.
  const listed = new Set(
    [...text.slice(text.indexOf("## Faults")).matchAll(/^\| *([a-z0-9-]*[a-z0-9]) +\|/gm)].map(([, id]) => id),
  );
  for (const heading of ["fault", "variant"]) listed.delete(heading);
  const known = new Set([...faults, ...variants].map(({ id }) => id).concat("reference"));
  return [
    ...[...known]
      .filter((id) => !listed.has(id))
      .map((id) => `docs/sensitivity.md does not have ${id}: npm run sensitivity -- --write`),
    ...[...listed].filter((id) => !known.has(id)).map((id) => `docs/sensitivity.md has ${id}, which is no more`),
  ];
};
