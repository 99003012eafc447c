import type { Flags } from "../configuration/invocation.ts";
import { isReference } from "../configuration/headers.ts";
import { list } from "../configuration/kinds/list.ts";
import { baseUrl } from "../configuration/kinds/base-url.ts";
import { Misfit } from "../configuration/kinds/kind.ts";
import { limited } from "../configuration/layers.ts";
import { optionValuesOf, type Layer, type OptionValues } from "../configuration/option-values.ts";
import { flagOf, type OptionName } from "../configuration/options.ts";
import type { Problem } from "../configuration/problem.ts";

/** The content of the first configuration file of a project. */
export interface Choices {
  readonly values: OptionValues;
  readonly targets: readonly NamedAddress[];
}

/** A target of the file. */
export interface NamedAddress {
  readonly name: string;
  readonly baseUrl: string;
}

/** The options that can be chosen when the file is written. */
export const chosenOptions = [
  "baseUrl",
  "apiKey",
  "apiKeyFile",
  "customerId",
  "currencyPairs",
  "otherPurposes",
  "amount",
  "profile",
  "ca",
] as const satisfies readonly OptionName[];

/** Reads the choices, given as flags or as answers, and everything that is wrong with them. */
export function choicesOf(
  given: Flags,
  whereOf: (name: string) => string,
  cwd: string,
): Choices & { readonly problems: readonly Problem[] } {
  const layer: Layer = { origin: "flag", whereOf, values: given, folder: cwd };
  const { values, problems } = optionValuesOf([
    limited(layer, (name) => chosenOptions.some((chosen) => chosen === name)),
  ]);
  const { targets, wrong } = targetsOf(given["targets"], whereOf("targets"));
  return { values, targets, problems: [...problems, ...keyProblems(values, whereOf), ...wrong] };
}

/** The key itself is not written, and not printed. */
function keyProblems({ apiKey, apiKeyFile }: OptionValues, whereOf: (name: string) => string): readonly Problem[] {
  if (apiKey === undefined) return [];
  const where = whereOf("apiKey");
  if (apiKeyFile !== undefined) {
    return [{ where, what: `says where the key is, as ${flagOf("apiKeyFile")} does`, advice: "Keep one of the two." }];
  }
  const names = apiKey.value.startsWith("env:") ? /^env:[A-Za-z_]\w*$/.test(apiKey.value) : apiKey.value.length > 5;
  if (isReference(apiKey.value) && names) return [];
  const advice = "The key itself does not belong into the file.";
  return [{ where, what: "must be env:NAME or file:path", advice }];
}

const entries = list({
  wanted: "a list of targets such as sandbox,production=https://fx.example",
  pattern: "^[A-Za-z][\\w-]*(=.+)?$",
  advice: () => "Begin each with a name of letters, digits, - and _, and add =<url> where you know its address.",
});

function targetsOf(
  word: Flags[string],
  where: string,
): { readonly targets: readonly NamedAddress[]; readonly wrong: readonly Problem[] } {
  if (word === undefined) return { targets: [], wrong: [] };
  const text = Array.isArray(word) ? word.join(",") : String(word);
  try {
    const targets = entries.ofText(text).map((entry) => {
      const [name = "", ...address] = entry.split("=");
      // A reserved example name, until the user writes the address.
      return { name, baseUrl: baseUrl.ofText(address.join("=") || `https://${name.toLowerCase()}.fx.example`) };
    });
    const twice = targets.find(({ name }, index) => targets.findIndex((other) => other.name === name) < index);
    if (twice === undefined) return { targets, wrong: [] };
    return { targets: [], wrong: [{ where, what: "names a target twice", found: twice.name }] };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { targets: [], wrong: [{ where, what: `must be ${error.message}`, found: text, advice: error.advice }] };
  }
}
