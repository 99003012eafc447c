import { built } from "./built.mjs";
import { table } from "./table.mjs";

/** The tables of `docs/options.md`: the options of `run` by group, each in its three spellings, read from the build. */
export async function optionTables() {
  const source = await built("cli/configuration/options.js");
  const { optionNames, optionOf } = source;
  const groups = [...new Set(optionNames.map((name) => optionOf(name).group))];
  return groups.flatMap((group) => [`### ${group}`, groupTable(group, source)]).join("\n\n");
}

function groupTable(group, { flagOf, optionNames, optionOf, variableOf }) {
  return table(
    ["flag", "variable", "file", "default", "meaning"],
    optionNames
      .filter((name) => optionOf(name).group === group)
      .map((name) => {
        const { value, about } = optionOf(name);
        const flag = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`;
        return [code(flag), code(variableOf(name)), code(name), standardOf(optionOf(name)), about];
      }),
  );
}

function standardOf({ fallback, fallbackText, kind }) {
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === undefined) return "none";
  return typeof fallback === "boolean" ? (fallback ? "on" : "off") : code(kind.toText(fallback));
}

const code = (text) => `\`${text}\``;
