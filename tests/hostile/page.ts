import { usualBound, type HostileTarget } from "./hostile-target.ts";

/** The result of a run against a target. */
export interface Outcome {
  readonly code: number | null;
  readonly seconds: number;
}

/** By the id of the target. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** `docs/hostile.md`. */
export const pageOf = (targets: readonly HostileTarget[], outcomes: Outcomes): string =>
  [
    "# Targets that misbehave",
    "",
    "The suite runs unattended against servers of any kind. Each of these is started by the tests and checked by the built",
    "program, which must end in time, report what is true, hold no more memory than it may, and leave whole reports. Exit 0 is",
    "right only where nothing that a requirement speaks of was broken. The bound of time is for a machine that is not busy,",
    "with a time-out of 1 s for each request; the last column shows what a run took on two cores, two targets at a time.",
    "",
    "Measured, and this page written, by `FXCONFORM_MEASURE=1 npx vitest run tests/hostile -u`. `npm run fuzz` mutates sound",
    "responses byte by byte instead; a seed repeats its cases.",
    "",
    "| target | what it does | exit | blamed | within | result |",
    "| --- | --- | --- | --- | --- | --- |",
    ...targets.map(
      ({ id, does, exits, blamed, also, within = usualBound }) =>
        `| \`${id}\` | ${does.replaceAll("__", "\\_\\_")} | ${exits.join(" or ")} | ${blamedText(blamed, also)} | ${within} s | ${outcomeText(outcomes[id])} |`,
    ),
    "",
  ].join("\n");

const blamedText = (blamed: HostileTarget["blamed"] = [], also: HostileTarget["also"]): string =>
  [...blamed, ...(also === "any" ? ["and others"] : [])].join(", ");

const outcomeText = (outcome: Outcome | undefined): string =>
  outcome === undefined ? "" : `${outcome.code ?? "a signal"} after ${outcome.seconds} s`;
