import type { OperationName } from "../../spec/operations.ts";
import { sent } from "../change.ts";
import { isJson } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import type { RefusalReason } from "../refusal.ts";

/** Adds a check to those of an endpoint: refuses the request if `problem` returns a message. */
export const refusing =
  (
    operation: OperationName,
    problem: (body: Json, call: Call) => string | false | undefined,
    status = 422,
    reason: RefusalReason = "invalid",
  ): Change =>
  (base) => ({
    check: (call) => {
      base.check(call);
      const found = call.operation === operation && problem(sent(call), call);
      if (typeof found === "string") throw new Refusal(status, reason, found);
    },
  });

/** An object inside a body; empty if there is none. */
export const within = (body: Json, name: string): Json => {
  const value = body[name];
  return isJson(value) ? value : {};
};

/** A text inside a body. */
export const textAt = (body: Json, name: string): string | undefined => {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
};
