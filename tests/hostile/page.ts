import type { HostileTarget } from "./hostile-target.ts";

/** `docs/hostile.md`. */
export const pageOf = (targets: readonly HostileTarget[]): string =>
  [
    "# Targets that misbehave",
    "",
    "The suite runs unattended against servers of any kind. Each of these is started by the tests and asked by the built",
    "program, which must end in time, tell the truth, hold no more memory than it may, and leave whole reports. Exit 0 is",
    "right only where nothing that a requirement speaks of was broken.",
    "",
    "This page is written by `npx vitest run tests/hostile -u`. `npm run fuzz` mutates good answers byte by byte instead;",
    "its cases can be had again by their seed.",
    "",
    "| target | what it does | exit | blamed |",
    "| --- | --- | --- | --- |",
    ...targets.map(
      ({ id, does, exits, blamed, also }) =>
        `| \`${id}\` | ${does.replaceAll("__", "\\_\\_")} | ${exits.join(" or ")} | ${blamedText(blamed, also)} |`,
    ),
    "",
  ].join("\n");

const blamedText = (blamed: HostileTarget["blamed"] = [], also: HostileTarget["also"]): string =>
  [...blamed, ...(also === "any" ? ["and others"] : [])].join(", ");
