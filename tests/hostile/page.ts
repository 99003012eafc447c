import { usualBound, type HostileTarget } from "./hostile-target.ts";

/** `docs/hostile.md`. */
export const pageOf = (targets: readonly HostileTarget[]): string =>
  [
    "# Targets that misbehave",
    "",
    "The suite runs unattended against servers of any kind. Each of these is started by the tests and asked by the built",
    "program, which must end in time, tell the truth, hold no more memory than it may, and leave whole reports. Exit 0 is",
    "right only where nothing that a requirement speaks of was broken. The bound of time is for a machine that is not busy,",
    "with a time-out of 1 s for each request.",
    "",
    "This page is written by `npx vitest run tests/hostile -u`. `npm run fuzz` mutates good answers byte by byte instead;",
    "its cases can be had again by their seed.",
    "",
    "| target | what it does | exit | blamed | within |",
    "| --- | --- | --- | --- | --- |",
    ...targets.map(
      ({ id, does, exits, blamed, also, within = usualBound }) =>
        `| \`${id}\` | ${does.replaceAll("__", "\\_\\_")} | ${exits.join(" or ")} | ${blamedText(blamed, also)} | ${within} s |`,
    ),
    "",
  ].join("\n");

const blamedText = (blamed: HostileTarget["blamed"] = [], also: HostileTarget["also"]): string =>
  [...blamed, ...(also === "any" ? ["and others"] : [])].join(", ");
