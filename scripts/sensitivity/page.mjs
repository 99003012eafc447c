// The tables of docs/sensitivity.md: read into servers, changed by the results of a matrix, and written again.
import { areas, requirementOf } from "../../dist/spec/catalogue.js";
import { variantFamilies } from "../../dist/reference/variants/index.js";
import { partOf, table } from "../documents/markdown.mjs";
import { judged, violates } from "./judged.mjs";

const note = { missed: "missed", inexact: "inexact", unseen: "unseen", outcome: "is ", watching: "watching blames " };

/** The parts of the page with these results, without servers that no longer exist. */
export const partsOf = (now, results, { faults, variants }) => {
  const knownFaults = faults.map(({ id }) => id);
  const knownVariants = ["reference", ...variants.map(({ id }) => id)];
  const faultServers = merged(serversIn(now, "faults"), results.filter(isOf("fault")).map(faultServer), knownFaults);
  const variantServers = merged(
    serversIn(now, "variants"),
    results.filter(isOf("variant")).map(variantServer),
    knownVariants,
  );
  return {
    measured: [measuredTable(faultServers), variantsText(variantServers)].join("\n\n"),
    faults: tableOf("requirement", faultServers),
    variants: tableOf("differs in", variantServers),
  };
};

/** The part `seeds` with the results of several seeds, in place of those of the same servers. */
export const seedsPart = (now, results) => {
  const made = ["fault", "variant"].flatMap((kind) => {
    const rows = results.filter(isOf(kind));
    if (rows.length === 0) return [];
    const servers = new Set(rows.map(({ job }) => job.id));
    const seeds = new Set(rows.map(({ job }) => job.seed)).size;
    const right = rows.filter((row) => judged(row).ok).length;
    return [[kind === "fault" ? `${servers.size} faults` : [...servers].join(", "), seeds, rows.length, right]];
  });
  const kept = rowsIn(now, "seeds").filter(([servers]) => !made.some(([others]) => others === servers));
  return table(
    ["servers", "seeds", "runs", "right"],
    [...kept, ...made].map((row) => row.map(String)),
  );
};

const isOf =
  (kind) =>
  ({ job }) =>
    job.kind === kind;

function faultServer(result) {
  const { job, failed = [], warned = [], watched } = result;
  const besides = [...failed, ...warned].filter((id) => id !== job.breaks);
  return {
    id: job.id,
    group: job.breaks,
    notes: [
      ...(judged(result).ok ? [] : [violates(result, job.breaks) ? note.inexact : note.missed]),
      ...(besides.length === 0 ? [] : [`also ${besides.join(" ")}`]),
      ...(violates(watched, job.breaks) ? [] : [note.unseen]),
    ],
  };
}

function variantServer({ job, outcome = "none", warned = [], watched }) {
  const blamed = watched?.failed ?? [];
  const group = Object.entries(variantFamilies).find(([, family]) => family.some(({ id }) => id === job.id))?.[0];
  return {
    id: job.id,
    group: group ?? "nothing",
    notes: [
      ...(outcome === "conformant" ? [] : [`${note.outcome}${outcome}`]),
      ...(warned.length === 0 ? [] : [`warns ${warned.join(" ")}`]),
      ...(blamed.length === 0 ? [] : [`${note.watching}${blamed.join(" ")}`]),
    ],
  };
}

const merged = (old, made, known) => {
  const ids = new Set(made.map(({ id }) => id));
  return [...old.filter(({ id }) => !ids.has(id)), ...made].filter(({ id }) => known.includes(id));
};

function measuredTable(faults) {
  const row = (name, servers) => {
    const caught = servers.filter(lacks(note.missed));
    const numbers = [servers, caught, caught.filter(lacks(note.inexact)), servers.filter(lacks(note.unseen))];
    return [name, ...numbers.map(({ length }) => String(length))];
  };
  const inArea = (area) => faults.filter(({ group }) => requirementOf(group).area === area);
  return table(
    ["area", "faults", "caught", "rightly blamed", "caught by watching alone"],
    [...areas.map((area) => row(area, inArea(area))), row("all", faults)],
  );
}

const lacks =
  (text) =>
  ({ notes }) =>
    !notes.includes(text);

function variantsText(variants) {
  const starting = (text) => variants.filter(({ notes }) => notes.some((one) => one.startsWith(text))).length;
  const clean = `${variants.length - starting(note.outcome)} of ${variants.length} variants are conformant, the reference server among them;`;
  return `${clean} ${starting(`${note.outcome}inconclusive`)} get no verdict. Watching alone blames ${starting(note.watching)} of them.`;
}

/** Servers by group, each with its notes in brackets. The cells of these long tables are not padded. */
function tableOf(title, servers) {
  const groups = [...new Set(servers.map(({ group }) => group))].toSorted((a, b) => (a < b ? -1 : 1));
  const textOf = ({ id, notes }) => (notes.length === 0 ? id : `${id} (${notes.join("; ")})`);
  const cells = groups.map((group) => [
    group,
    servers
      .filter((one) => one.group === group)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(textOf)
      .join(", "),
  ]);
  return `<!-- prettier-ignore-start -->\n\n${table([title, "servers"], cells)}\n\n<!-- prettier-ignore-end -->`;
}

function serversIn(page, part) {
  return rowsIn(page, part).flatMap(([group, cell = ""]) =>
    cell.split(", ").map((text) => {
      const [, id, notes] = /^(\S+)(?: \((.*)\))?$/.exec(text) ?? [];
      return { id, group, notes: notes?.split("; ") ?? [] };
    }),
  );
}

/** The rows of the tables of a part, without their heads. */
const rowsIn = (page, part) =>
  [...partOf(page, part).matchAll(/^\|(.*)\|$(?!\n\| *-)/gm)]
    .map(([, row]) => row.split("|").map((cell) => cell.trim()))
    .filter(([first]) => !/^-+$/.test(first));
