import { plain, plainLines } from "./sanitize.ts";

/** Text as the content of an XML element, line breaks kept. Characters that XML 1.0 does not allow become readable. */
export const xmlText = (text: string, limit?: number): string => entities(plainLines(text, limit), /[<>&]/g);

/** Text as an XML attribute's value on one line, quotes included. */
export const xmlAttribute = (text: string, limit?: number): string => `"${entities(plain(text, limit), /[<>&"]/g)}"`;

const entities = (text: string, read: RegExp): string => text.replace(read, (found) => `&#${found.charCodeAt(0)};`);
