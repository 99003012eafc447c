import type { Layer } from "../../settings/layers.ts";
import type { Problem } from "../../settings/problem.ts";
import { suggestion } from "../../settings/selection.ts";
import { program } from "../../settings/command-line.ts";

/** A fault or a variant of the reference server, and what a run needs to show it. */
export interface Deviation {
  readonly id: string;
  readonly needs?: {
    readonly amountDecimals?: number;
    readonly amountMax?: number;
    readonly onlyEfx?: true;
    readonly batchMembers?: object;
  };
  readonly slot?: string;
  readonly excludes?: readonly string[];
}

/** The deviations that the words of a flag name, separated by commas or one a flag; a name that does not exist is a problem. */
export async function knownDeviations(
  flag: "fault" | "variant",
  words: unknown,
  load: () => Promise<readonly Deviation[]>,
): Promise<{ readonly found: readonly Deviation[]; readonly problems: readonly Problem[] }> {
  const names = (Array.isArray(words) ? words : []).flatMap((word) => String(word).split(","));
  if (names.length === 0) return { found: [], problems: [] };
  const all = await load();
  const ids = all.map(({ id }) => id);
  const problems = names
    .filter((name) => !ids.includes(name))
    .map((name) => {
      const advice = suggestion(name, ids) ?? `${program} serve --list shows them.`;
      return { where: `--${flag}`, what: `names no ${flag}`, found: name, advice };
    });
  return { found: names.flatMap((name) => all.find(({ id }) => id === name) ?? []), problems };
}

/** The options of a run against the reference server with these deviations, as the configuration file holds them. */
export function optionsFor(deviations: readonly Deviation[]): Layer["values"] {
  const needs = deviations.flatMap((one) => one.needs ?? []);
  const max = Math.min(1_000, ...needs.flatMap(({ amountMax }) => amountMax ?? []));
  const allowed = needs.flatMap(({ amountDecimals }) => amountDecimals ?? []);
  const decimals = allowed.length === 0 ? 2 : Math.min(...allowed);
  return {
    currencyPairs: ["USDBRL", "EURBRL"],
    ...(needs.some(({ onlyEfx }) => onlyEfx) ? {} : { otherPurposes: ["IMPORT"] }),
    ...needs.flatMap(({ batchMembers }) => (batchMembers === undefined ? [] : [{ batchMembers }]))[0],
    ...(max === 1_000 && decimals === 2 ? {} : { amount: `10..${max}:${decimals}` }),
  };
}
