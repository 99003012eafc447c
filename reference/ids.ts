import { all, newIds, remembering, success } from "./change.ts";
import { edit } from "./edits.ts";
import type { Change, Kind } from "./policy.ts";

/** Gives all resources of a kind the same id. */
export const sameId = (kind: Kind, id: string): Change => newIds(kind, () => id);

/** Uses each id for two resources of a kind, one after the other. */
export const idsTwice = (kind: Kind): Change =>
  remembering(() => {
    let made = 0;
    let last = "";
    return newIds(kind, async (_call, next) => {
      if ((made += 1) % 2 === 1) last = await next();
      return last;
    });
  });

/** Counts the resources of a kind and shows the count, a number, as the id. */
export const numberIds = (kind: "counterparty" | "operation", member: string): Change =>
  remembering(() => {
    let last = 0;
    return all(
      newIds(kind, () => String((last += 1))),
      success(kind === "operation" ? "createOperation" : "createCounterparty", edit(member, Number)),
    );
  });
