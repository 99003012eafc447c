import { choice, literal, plainType, reference, typeList } from "./alternatives.ts";
import { elements } from "./elements.ts";
import type { Keyword } from "./keyword.ts";
import { members } from "./members.ts";
import { range } from "./range.ts";
import { format, length, meaning } from "./strings.ts";

/** The keywords that values are generated from, the more specific first. The first that applies to a schema is used. */
export const keywords: readonly Keyword[] = [
  reference,
  literal,
  choice,
  meaning,
  typeList,
  format,
  members,
  elements,
  range,
  length,
  plainType,
];

/** Keywords that do not constrain values. */
export const annotations: ReadonlySet<string> = new Set([
  "title",
  "description",
  "example",
  "examples",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
  "externalDocs",
  "x-fxconform-personal",
  "x-fxconform-question",
]);
