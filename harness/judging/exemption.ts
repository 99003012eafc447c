import { fieldOf, isOtherMethod, isRedirection, utf8, type Exchange } from "../../model/exchange.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";

type Part = Pick<Exchange, "operation" | "request" | "response">;

/** Requests and responses of which only a crash is judged, each with the interpretation that says so. */
const exemptions: readonly (readonly [InterpretationId, (exchange: Part) => boolean])[] = [
  // The specification does not redirect: a 304 is different, because it stands for an earlier list.
  ["INT-34", ({ response }) => isRedirection({ response }) && response.status !== 304],
  ["INT-38", isOtherMethod],
  ["INT-38", ({ response }) => response.status === 414 || response.status === 431],
  ["INT-41", ({ request }) => request.body !== undefined && utf8(request.body) === undefined],
  ["INT-41", ({ request }) => !isDecodable(request.url)],
  ["INT-44", ({ request }) => !/^(identity)?$/i.test(fieldOf(request.headers, "content-encoding") ?? "")],
];

/**
 * The interpretation by which nothing but a crash is judged in an exchange, whatever the request was sent for; undefined
 * if all standing checks judge it. It follows from what was sent and received, so no probe has to claim it.
 */
export const exemptionOf = (exchange: Part): InterpretationId | undefined =>
  exemptions.find(([, applies]) => applies(exchange))?.[0];

/** Whether the percent-encoded bytes of a URL are UTF-8. */
const isDecodable = (url: string): boolean => {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
};
