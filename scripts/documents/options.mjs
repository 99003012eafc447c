import { built } from "./built.mjs";
import { table } from "./table.mjs";

/** `docs/options.md`: the options of `run` by group, each in its three spellings, read from the build. */
export async function optionsDocument() {
  const source = await built("cli/configuration/options.js");
  const { optionNames, optionOf } = source;
  const groups = [...new Set(optionNames.map((name) => optionOf(name).group))];
  return [
    "# Options",
    "Made from `cli/configuration/options.ts` by `npm run docs`; do not edit by hand.",
    [
      "The options of `fxconform run`. The other commands take some of them.",
      "A flag wins over a variable, a variable over the configuration file, the file over the default.",
      "A switch is on with `--strict` and off with `--no-strict`; elsewhere it is `true` or `false`.",
    ].join(" "),
    [
      "Durations are milliseconds as a bare number, or `1500ms`, `10s`, `2m`. Sizes are bytes, or `1MB`, `128MiB`.",
      "Lists are separated by commas; in the file they are lists.",
      "The file is `fxconform.config.json`, `.yaml` or `.yml` in the working directory, or what `--config` names;",
      "paths in it are relative to it.",
    ].join(" "),
    ...groups.flatMap((group) => [`## ${group}`, groupTable(group, source)]),
  ].join("\n\n");
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
