import { jsonOf, memberOf, type ReceivedResponse } from "../../model/exchange.ts";

/** Status and words. They are cut after they were redacted, since the beginning of a secret is not found as one. */
export const responseText = (response: ReceivedResponse, redact: (text: string) => string): string => {
  const words = redact(wordsOf(response));
  return `status ${response.status}${words === "" ? "" : ` "${cutTo(words, 160)}"`}`;
};

/** Whether a refusal has the shape of the API's: otherwise something before the server most likely sent it. */
export const isOfApi = (response: ReceivedResponse): boolean =>
  typeof memberOf(jsonOf(response), "message") === "string";

/** The message of the API; of another response its JSON or its text, without markup. */
const wordsOf = (response: ReceivedResponse): string => {
  const message = memberOf(jsonOf(response), "message");
  if (typeof message === "string") return message;
  return pageText(response.body);
};

/** The text of a page without its markup. */
export const pageText = (page: Uint8Array): string =>
  new TextDecoder()
    .decode(page.subarray(0, longestPage))
    .replaceAll(/<(style|script|head)\b.*?<\/\1>|<[^>]*>/gis, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Bytes of a page that are read for its words. */
const longestPage = 16_384;

/** The start of a text, with a mark where it was longer. */
export const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Text of a server without control characters. */
export const plainText = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·").slice(0, 400);
