import { memberOf, type Json } from "../../model/exchange.ts";

/**
 * A place in a response, with the ids of the list elements that it is in:
 * `/batches/3/operations/0/created_at (operation "o-9" of batch "b-1")`.
 */
export const placeText = (json: Json | undefined, pointer: string): string => {
  const elements = [...pointer.matchAll(/\/(batches|operations)\/\d+(?=\/|$)/g)].flatMap(
    ({ 0: part, 1: list, index }) => {
      const element = valueAt(json, pointer.slice(0, index + part.length));
      const id = memberOf(element, list === "batches" ? "id" : "operation_id");
      return typeof id === "string" && id.length <= longestId
        ? [`${list === "batches" ? "batch" : "operation"} ${JSON.stringify(id)}`]
        : [];
    },
  );
  return elements.length === 0 ? pointer : `${pointer} (${elements.reverse().join(" of ")})`;
};

/** The value at a JSON pointer (RFC 6901); `undefined` if there is none. */
export const valueAt = (json: Json | undefined, pointer: string): Json | undefined =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<Json | undefined>(
      (value, part) => (Array.isArray(value) ? (value[Number(part)] as Json | undefined) : memberOf(value, part)),
      json,
    );

/** Longest id that is shown, in characters: a longer one would hide the rest of the text. */
const longestId = 100;
