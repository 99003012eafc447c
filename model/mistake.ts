import type { OperationName } from "../spec/operations.ts";
import type { BodyDefect } from "./exchange.ts";
import { notFinite, type Finding, type Mistake } from "./run.ts";

/** The only key of a mistake: equal for findings that one change of the server mends. */
export function mistakeKey({ kind, of, expected, actual }: Mistake): string {
  return JSON.stringify([kind, of, expected, actual]);
}

/** The mistake as part of which a finding is reported: its own, or the one that it follows from. */
export function toldAs({ mistake, partOf }: Pick<Finding, "mistake" | "partOf">): Mistake {
  return partOf ?? mistake;
}

/** A mistake that has no kind of its own. The message of a finding is its title. */
export function other(of: OperationName | "", expected: string, actual: string): Mistake {
  return { kind: "other", of, expected, actual };
}

/** The mistake of a server that refuses tokens which it just issued, at whichever endpoint. */
export function newTokenRefused(status: number | undefined): Mistake {
  return {
    kind: "refused",
    of: "tokens",
    expected: "a fresh token is accepted",
    actual: `status ${status}`,
  };
}

/** The `actual` of a mistake by which two resources get one id. */
export const oneIdForTwo = "one id for two";

/** The `actual` of an echo whose value a server rounded. */
export const rounded = "rounded";

/** What is wrong with the bytes of a body: the `actual` of a mistake of the kind `body`. */
export type WrongBody =
  | "no body"
  | "other bytes"
  | "not well-formed"
  | "a byte order mark"
  | "gzip without its header"
  | typeof notFinite
  | Exclude<BodyDefect["kind"], "too large" | "too many" | "too deep" | "missing">;

/** What is wrong alike with the bodies of successes and errors, as something around them makes it so. */
export const wrongBodies: ReadonlySet<WrongBody> = new Set([
  "a byte order mark",
  "gzip without its header",
  "coding",
]);

/** Members without which a run cannot go on, by the names that mistakes give them. */
export const neededMembers: ReadonlySet<string> = new Set([
  "ids",
  "id",
  "operation_id",
  "token",
  "batches",
  "",
]);

/** The words in the `actual` of a crash that shows only beside other requests, before a status. */
export const sentAlone = "; sent alone, the same request was answered with ";

/** The `of` of crashes on requests that wait for one another. */
export const together = "in flight together";

/** The `expected` of a crash. */
export const noCrash = "a status below 500";
