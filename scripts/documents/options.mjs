import { built } from "./built.mjs";
import { table } from "./table.mjs";

/** The tables of `docs/options.md`: the options of `run` by group, each in its three spellings, read from the build. */
export async function optionTables() {
  const source = await built("settings/options.js");
  const { groupOf, optionNames } = source;
  const groups = [...new Set(optionNames.map(groupOf))];
  return groups.flatMap((group) => [`### ${group}`, groupTable(group, source)]).join("\n\n");
}

function groupTable(group, { defaultText, flagOf, groupOf, optionNames, optionOf, variableOf }) {
  return table(
    ["flag", "variable", "file", "default", "meaning"],
    optionNames
      .filter((name) => groupOf(name) === group)
      .map((name) => {
        const { value, about } = optionOf(name);
        const flag = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`;
        return [code(flag), code(variableOf(name)), code(name), standardOf(optionOf(name), defaultText), about];
      }),
  );
}

function standardOf(option, defaultText) {
  const text = defaultText(option);
  if (text === undefined) return option.fallback === false ? "off" : "none";
  return option.fallbackText === undefined ? code(text) : text;
}

const code = (text) => `\`${text}\``;
