import { choice } from "./choice.ts";
import { elements } from "./elements.ts";
import { format } from "./format.ts";
import type { Keyword } from "./keyword.ts";
import { length } from "./length.ts";
import { literal } from "./literal.ts";
import { meaning } from "./meaning.ts";
import { members } from "./members.ts";
import { plainType } from "./plain-type.ts";
import { range } from "./range.ts";
import { reference } from "./reference.ts";
import { typeList } from "./type-list.ts";

/** The keywords that can decide on values, the more specific first. The first one that applies decides. */
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
