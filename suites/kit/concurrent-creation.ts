import { valueAt } from "../../generators/pointer.ts";
import { isSuccess, memberOf, type Exchange, type Json } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Context } from "./context.ts";

/** What distinguishes the responses to simultaneous creations: their ids, and members that repeat the request's. */
export interface Distinction {
  readonly id: string;
  /** Member of the request, member of the response; `a/b` for the member b of a. */
  readonly echoes: readonly (readonly [sent: string, returned: string])[];
}

/**
 * Judges creations that were in flight at the same time: each has its own id, and no response belongs to another
 * request (INT-21). Expects requests with different data.
 */
export const judgeConcurrent = (
  context: Context,
  requirement: RequirementId,
  exchanges: readonly Exchange[],
  distinction: Distinction,
): void => {
  const made = exchanges.filter(isSuccess);
  const title = exchanges[0] === undefined ? "" : operationTitle(exchanges[0].operation);
  if (made.length < 2) {
    context.inconclusive(
      requirement,
      `${made.length} of ${exchanges.length} creations sent at the same time succeeded; at least two are needed`,
    );
    return;
  }
  const distinct = made.filter(
    ({ json }) =>
      typeof memberOf(json, distinction.id) === "string" ||
      distinction.echoes.some(([, returned]) => at(json, returned) !== undefined),
  );
  if (distinct.length < 2) {
    context.inconclusive(
      requirement,
      `${title} answers with no ${[distinction.id, ...distinction.echoes.map(([, name]) => name)].join(", ")}: nothing distinguishes the responses`,
    );
    return;
  }
  const byId = new Map<string, Exchange[]>();
  for (const exchange of made) {
    const id = memberOf(exchange.json, distinction.id);
    if (typeof id === "string") byId.set(id, [...(byId.get(id) ?? []), exchange]);
  }
  const repeated = [...byId].flatMap(([id, those]) => {
    const exchange = those.at(-1);
    return exchange === undefined || those.length < 2 ? [] : [{ id, exchange, times: those.length }];
  });
  const crossed = made.filter((exchange) => isCrossed(exchange, made, distinction));
  const [first] = repeated;
  if (first !== undefined) {
    context.violated(
      requirement,
      {
        message: `${title}: creations that were in flight together got one id.`,
        expected: `${made.length} ids for ${made.length} creations`,
        actual: `${byId.size} ids; ${JSON.stringify(first.id)} was given ${first.times} times`,
        pointer: `/${distinction.id}`,
        cause: { expected: `an /${distinction.id} of its own`, actual: "an id for several creations" },
      },
      { exchange: first.exchange, repeated: `${repeated.length} of ${byId.size}` },
    );
  }
  for (const exchange of crossed.slice(0, 1)) {
    context.violated(
      requirement,
      {
        message: `${title}: a response belongs to another request that was in flight at the same time.`,
        expected: distinction.echoes
          .map(([sent, returned]) => `/${returned} = ${JSON.stringify(at(exchange.request.json, sent))}`)
          .join(", "),
        actual: distinction.echoes
          .map(([, returned]) => `/${returned} = ${JSON.stringify(at(exchange.json, returned))}`)
          .join(", "),
        cause: { expected: "the values of the request", actual: "the values of another request in flight" },
      },
      { exchange, repeated: `${crossed.length} of ${made.length}` },
    );
  }
  if (first === undefined && crossed.length === 0) context.holds(requirement, made[0]);
};

/** Whether a response repeats the data of another request of the group instead of its own. */
const isCrossed = (exchange: Exchange, group: readonly Exchange[], { echoes }: Distinction): boolean =>
  echoes.some(([sent, returned]) => {
    const own = at(exchange.request.json, sent);
    const back = at(exchange.json, returned);
    if (back === undefined || back === own) return false;
    return group.some((other) => other !== exchange && at(other.request.json, sent) === back);
  });

const at = (value: Json | undefined, path: string): Json | undefined => valueAt(value ?? null, `/${path}`);
