// What requests are worth: the faults that each scenario, and each pool in it, catches, and those that nothing else does.

/** docs/worth.md from full runs: those of faults, and that of the reference server, which gives the number of requests. */
export const worthPage = (results, total) => {
  const measured = results.filter(({ job, traffic }) => job.kind === "fault" && traffic !== undefined);
  const reference = results.find(({ job }) => job.id === "reference")?.traffic ?? [];
  const rows = worthOf(measured, reference);
  const never = rows.filter(({ catches }) => catches === 0);
  return `# What requests are worth

Each request of a run belongs to a scenario, and where it sends a value of a pool, to that pool. A row shows how many
requests a run on the reference server spends there, how many faults of the catalogue they catch, and how many of these
nothing else in the run catches. Standing checks judge every exchange, so most faults are caught by many rows.

Measured on ${measured.length} of ${total} faults, with the default settings. ${sum(rows, "alone")} of them are caught by one row alone. Rows
that catch none of them: ${never.length}. Written by \`npm run sensitivity -- --write\`, and alone by \`--worth\`, with \`--sample\` for some of the faults.

<!-- prettier-ignore-start -->

| scenario | pool | requests | faults caught | by nothing else |
| --- | --- | ---: | ---: | ---: |
${rows.map(({ scenario, pool, requests, catches, alone }) => `| ${scenario} | ${pool} | ${requests} | ${catches} | ${alone} |`).join("\n")}

<!-- prettier-ignore-end -->
`;
};

/** The rows, those that catch most by themselves first. */
const worthOf = (measured, reference) => {
  const rows = new Map();
  const rowOf = ({ scenario, pool = "" }) => {
    const key = JSON.stringify([scenario, pool]);
    const row = rows.get(key) ?? { scenario, pool, requests: 0, catches: 0, alone: 0 };
    rows.set(key, row);
    return row;
  };
  for (const entry of reference) rowOf(entry).requests = entry.requests;
  for (const { job, traffic } of measured) {
    const catching = traffic.filter(({ violates }) => violates.includes(job.breaks));
    for (const entry of catching) rowOf(entry).catches += 1;
    if (catching.length === 1) rowOf(catching[0]).alone += 1;
  }
  return [...rows.values()].sort(
    (a, b) => b.alone - a.alone || b.catches - a.catches || (a.scenario + a.pool < b.scenario + b.pool ? -1 : 1),
  );
};

const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);
