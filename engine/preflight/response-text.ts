import { jsonOf, memberOf, type ReceivedResponse } from "../../model/exchange.ts";

/** Status and message. It is cut after it was redacted, since the beginning of a secret is not found as one. */
export const responseText = (response: ReceivedResponse, redact: (text: string) => string): string => {
  const words = memberOf(jsonOf(response), "message");
  return `status ${response.status}${typeof words === "string" ? ` "${cutTo(redact(words), 160)}"` : ""}`;
};

/** The start of a text, with a mark where it was longer. */
export const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** Text of a server without control characters. */
export const plainText = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·").slice(0, 400);
