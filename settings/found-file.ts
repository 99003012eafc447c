import { basename } from "node:path";
import { codeOf, fileBelow, FileProblem } from "../model/files.ts";
import {
  flagOf,
  optionNames,
  optionOf,
  optionsIn,
  variableOf,
  type OptionName,
} from "./options.ts";
import { isLoopback } from "../model/target.ts";
import type { HeaderEntry } from "./kinds/words.ts";
import type { Problem } from "./problem.ts";
import type { OptionValues } from "./sources.ts";

/** The options that decide which way requests, with key and token in them, take to the address. */
const wayOptions: readonly OptionName[] = optionsIn("Network", "TLS");

/**
 * What a configuration file may set that nobody named: where the target is and what it takes, what
 * is checked, by which gate, and how it is reported. With all else it would act for whoever starts
 * the run.
 */
const mayBeFound: readonly OptionName[] = [
  ...optionsIn("Target", "Selection", "Run settings", "Network", "TLS"),
  "strict",
  "complete",
  "statement",
  "baseline",
  "maxLatency",
  "reportDir",
  "reports",
  "color",
  "quiet",
  "verbose",
  "json",
  "secretHeaders",
];

/**
 * The problems of a configuration file that nobody named: it was found in the working directory,
 * which may be the checkout of a change by somebody else. It may say how to reach the address that
 * it gives itself. It may not do for whoever starts the run what is not in `mayBeFound`, take
 * secrets from elsewhere, which it could send anywhere, decide on the way to an address that a flag
 * or a variable gives, or name paths that lead out of its folder.
 */
export function foundFileProblems(values: OptionValues): readonly Problem[] {
  const isElsewhere = values.baseUrl !== undefined && values.baseUrl.isFound !== true;
  return optionNames.flatMap((name): readonly Problem[] => {
    const option = values[name];
    if (option?.isFound !== true || option.value === false) return [];
    const { where, folder, file = "", value } = option;
    const reasons = {
      "is not for a configuration file that nobody named": !mayBeFound.includes(name),
      "takes a secret from elsewhere": isSecretForOthers(name, values),
      "decides on the way to an address that this file does not give":
        wayOptions.includes(name) && name !== "headers" && isElsewhere,
      "names a file outside the folder of this configuration file": pathsIn(name, value).some(
        (path) => !isBelowFolder(path, folder),
      ),
    };
    const what = Object.entries(reasons).find(([, holds]) => holds)?.[0];
    const advice =
      `Give it by ${flagOf(name)} or ${variableOf(name)}, ` +
      `or say that you trust this file: --config ${basename(file)}.`;
    return what === undefined ? [] : [{ where, what, advice }];
  });
}

/**
 * Whether an option takes a secret from a variable or a file, and the address is none that this
 * machine has or the user gave. A header goes to no address of the user either, who may not know
 * what it carries.
 */
function isSecretForOthers(name: OptionName, values: OptionValues): boolean {
  if (name !== "apiKeyFile" && referencesIn(values[name]?.value).length === 0) return false;
  const { value = "", isFound } = values.baseUrl ?? {};
  if (URL.canParse(value) && isLoopback(new URL(value).hostname)) return false;
  return isFound === true || name === "headers";
}

/** The paths that an option holds: its value, or those behind `file:`. */
function pathsIn(name: OptionName, value: unknown): readonly string[] {
  if (optionOf(name).isPath === true) return typeof value === "string" ? [value] : [];
  return referencesIn(value).flatMap((text) => /^file:(.*)$/s.exec(text)?.[1] ?? []);
}

/** The texts `env:NAME` and `file:path` that an option holds, or its headers. */
const referencesIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? (value as readonly Partial<HeaderEntry>[]).flatMap((one) => referencesIn(one.value))
    : [value].filter((text) => typeof text === "string").filter(isReference);

/** Whether a text is `env:NAME` or `file:path`. */
export const isReference = (text: string): boolean => /^(env|file):/.test(text);

/** Whether a path lies below a folder, links followed. What cannot be followed does not. */
export function isBelowFolder(path: string, folder: string): boolean {
  try {
    fileBelow(folder, path);
    return true;
  } catch (error) {
    if (error instanceof FileProblem || codeOf(error).startsWith("E")) return false;
    throw error;
  }
}
