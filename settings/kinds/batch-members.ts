import * as v from "valibot";
import type { JsonObject } from "../../spec/contract.ts";
import { dictionary, message, textOr, type Kind } from "./kind.ts";

const wanted = `an object such as {"operation_ids":["{operation_id}"]}`;

const members = v.pipe(
  dictionary(v.unknown(), wanted),
  v.minEntries(1, message(wanted, "Name at least one member.")),
  v.check(
    (value) => !Object.hasOwn(value, "currency_pair"),
    message("an object without currency_pair", "Name the pairs with --currency-pairs."),
  ),
  v.check(
    (value) => strangePlaceholder(value) === undefined,
    ({ input }) =>
      message(
        "an object with no placeholder but {operation_id}",
        `Replace ${strangePlaceholder(input)} with {operation_id}.`,
      ),
  ),
  // JSON and YAML hold nothing else.
  v.transform((value) => value as JsonObject),
);

/** Members of a batch that the specification does not name: JSON in a flag or a variable, an object in the file. */
export const batchMembers: Kind<JsonObject, string | Record<string, unknown>> = {
  schema: textOr(v.pipe(v.string(), v.parseJson(undefined, `${wanted}, in JSON`), members), members),
};

/** A placeholder other than the one that there is, in any text inside a value. */
function strangePlaceholder(value: unknown): string | undefined {
  return JSON.stringify(value)
    .match(/\{\w+\}/g)
    ?.find((placeholder) => placeholder !== "{operation_id}");
}
