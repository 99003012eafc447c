import { resolve } from "node:path";
import type { AddedHeader } from "../model/target.ts";
import { readText } from "./file.ts";
import type { HeaderEntry } from "./kinds/headers.ts";
import type { OptionValue } from "./values.ts";
import { UsageError } from "./problem.ts";
import type { Surroundings } from "./surroundings.ts";

/** Many servers refuse a longer header. */
const longestValue = 8000;

/** The headers with their values, read from variables and files where needed. Throws `UsageError`. */
export const headersOf = (
  { value: entries, where, folder }: OptionValue<readonly HeaderEntry[]>,
  publicNames: readonly string[],
  env: Surroundings["env"],
): readonly AddedHeader[] => {
  const shown = new Set(publicNames.map((name) => name.toLowerCase()));
  return entries.map(({ name, value: given }) => {
    const place = `${name} of ${where}`;
    const { value, source } = referencedValue(given, place, env, folder);
    // RFC 9110, section 5.5: what fits a header.
    if (value === "" || value.length > longestValue || /[^\t\x20-\x7e\u00a0-\u00ff]/.test(value)) {
      const what =
        value === ""
          ? "has an empty value"
          : value.length > longestValue
            ? `is longer than ${longestValue} characters`
            : "holds characters that no header can carry";
      throw new UsageError([{ where: place, what, advice: "Give only the value, without quotes and line breaks." }]);
    }
    return { name, value, isPublic: shown.has(name.toLowerCase()), ...(source === undefined ? {} : { source }) };
  });
};

/** Whether a text is `env:NAME` or `file:path`. */
export const isReference = (text: string): boolean => /^(env|file):/.test(text);

/** The value that `env:NAME` or `file:path` names, or the text itself. */
export const referencedValue = (
  given: string,
  where: string,
  env: Surroundings["env"],
  folder: string,
): { readonly value: string; readonly source?: string } => {
  const [, kind, name] = /^(env|file):(.*)$/.exec(given) ?? [];
  if (name === undefined) return { value: given };
  if (name === "") {
    const wanted = kind === "env" ? "the name of a variable, such as env:GATEWAY_KEY" : "a path, such as file:key.txt";
    throw new UsageError([{ where, what: `ends after ${kind}:`, advice: `Write ${wanted}.` }]);
  }
  if (kind === "file") {
    const path = resolve(folder, name);
    return { value: readText(path, where).trim(), source: `file:${path}` };
  }
  const value = env[name];
  if (value === undefined || value === "") {
    throw new UsageError([
      { where, what: `names the variable ${name}, which is not set`, advice: `Set ${name}, or write file:path.` },
    ]);
  }
  return { value: value.trim(), source: `env:${name}` };
};
