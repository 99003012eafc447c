import { realpathSync } from "node:fs";
import { basename, isAbsolute, relative, sep } from "node:path";
import { flagOf, optionsIn, variableOf, type OptionName } from "./options.ts";
import { wrong, type Problem } from "./problem.ts";
import type { OptionValue, OptionValues } from "./sources.ts";

/** The options that decide which way requests, with key and token in them, take to the address. */
const wayOptions: readonly OptionName[] = optionsIn("Network", "TLS");

/**
 * The problems of a configuration file that nobody named: it was found in the working directory,
 * which may be the checkout of a change by somebody else. Such a file may say how to reach the
 * address that it gives itself, but where a flag, a variable or a report gives the address, it must
 * not decide on the way there.
 */
export function foundFileProblems(values: OptionValues): readonly Problem[] {
  const { baseUrl } = values;
  if (baseUrl === undefined || baseUrl.isFound === true) return [];
  return wayOptions
    .filter((name) => decides(name, values))
    .map((name) => problemOf(name, values[name]));
}

/** Whether a found file sets an option to a value that leads requests, or what they carry, astray. */
function decides(name: OptionName, values: OptionValues): boolean {
  const option = values[name];
  if (option?.isFound !== true || option.value === false) return false;
  return (
    name !== "headers" || (values.headers?.value ?? []).some(({ value }) => isReference(value))
  );
}

function problemOf(
  name: OptionName,
  { where = name, file = "" }: Partial<OptionValue<unknown>> = {},
): Problem {
  const what = "decides on the way to an address that this file does not give";
  const advice =
    `Give it by ${flagOf(name)} or ${variableOf(name)}, ` +
    `or say that you trust this file: --config ${basename(file)}.`;
  return { where, what, advice };
}

/** Whether a text is `env:NAME` or `file:path`. */
export const isReference = (text: string): boolean => /^(env|file):/.test(text);

/**
 * Makes sure that a file with a secret lies in the folder of the configuration file that refers to
 * it, unless the user named that configuration file. Links are followed. Throws `UsageError`.
 */
export function checkSecretPlace(
  path: string,
  where: string,
  { isFound, folder, file = "" }: Pick<OptionValue<unknown>, "isFound" | "folder" | "file">,
): void {
  if (isFound !== true || isInside(path, folder)) return;
  throw wrong(
    where,
    "names a file outside the folder of this configuration file",
    `Move it there, or say that you trust this configuration file: --config ${basename(file)}.`,
  );
}

/** Whether a file lies in a folder. A file that does not exist does: reading it says so. */
function isInside(path: string, folder: string): boolean {
  try {
    const place = relative(realpathSync(folder), realpathSync(path));
    return place !== ".." && !place.startsWith(`..${sep}`) && !isAbsolute(place);
  } catch {
    return true;
  }
}
