// Says why a name given to --only runs nothing, and what to do.
import { blindFaults, blindVariants } from "../../dist/reference/blind/index.js";
import { faults } from "../../dist/reference/faults/index.js";
import { variants } from "../../dist/reference/variants/index.js";
import { suggestion } from "../../dist/settings/selection.js";
import { requirementIds } from "../../dist/spec/catalogue.js";

const idsOf = (rows) => rows.map(({ id }) => id);
const blindIds = idsOf([...blindFaults, ...blindVariants]);
const catalogueIds = ["reference", ...idsOf([...faults, ...variants])];

/** Returns what to do about a name for which these options run nothing. */
export function adviceOn(name, { alone, blind, check, gate, kind }) {
  if (alone) return nearest(name, requirementIds, "With --alone, requirements run.");
  if (blindIds.includes(name) && !blind && !gate)
    return "It is a server of the blind set: add --blind.";
  if (catalogueIds.includes(name) && blind)
    return "It is not a server of the blind set: leave out --blind.";
  if ([...blindIds, ...catalogueIds].includes(name)) return leftOut({ check, gate, kind });
  if (requirementIds.includes(name)) return "None of these servers breaks it.";
  return nearest(
    name,
    [...catalogueIds, ...blindIds, ...requirementIds],
    "npx fxconform serve --list names all of them.",
  );
}

/** Says which options leave out a server that exists. */
function leftOut({ check, gate, kind }) {
  const options = [check && "--check", gate && "--gate", kind && `--kind ${kind}`].filter(Boolean);
  return `It exists, and ${options.join(" or ")} leaves it out.`;
}

function nearest(name, names, otherwise) {
  return suggestion(name, names) ?? otherwise;
}
