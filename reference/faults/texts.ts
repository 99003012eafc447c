import { anyPurpose, edit, isJson } from "../change.ts";
import type { Change } from "../policy.ts";
import { at, faultsAnywhere, forSomeValues, type Broken, type Fault } from "./fault.ts";

/** How a text is stored wrongly: words that follow "The member … ", and the text that is shown. */
type TextWay = readonly [words: string, shown: (text: string) => unknown];

const ways = {
  "plus-as-blank": ["has blanks in place of plus signs", (text) => text.replaceAll("+", " ")],
  "percent-decoded": ["is decoded as a part of a URL is", decoded],
  "start-trimmed": ["loses the blanks in front", (text) => text.trimStart()],
  "tab-as-blank": ["has blanks in place of tabs", (text) => text.replaceAll("\t", " ")],
  "cut-at-zero": ["ends before a zero byte", (text) => text.split("\0")[0]],
  "cut-after-255-bytes": [
    "is cut after 255 bytes",
    (text) => Buffer.from(text).subarray(0, 255).toString(),
  ],
  "null-if-empty": ["is null if it is empty", (text) => (text === "" ? null : text)],
  "null-if-word": ["is null if it is the word null", (text) => (text === "null" ? null : text)],
  "number-if-digits": [
    "is a number if it spells one",
    (text) => (String(Number(text)) === text ? Number(text) : text),
  ],
} as const satisfies Record<string, TextWay>;

type TextWayName = keyof typeof ways;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Changes a text of a counterparty in the response to its registration. `object`: the member whose
 * object contains the text, if the text is not at the top level.
 */
function showing(name: string, object: string | undefined, shown: TextWay[1]): Change {
  const changed = edit(name, (text) => (typeof text === "string" ? shown(text) : text));
  if (object === undefined) return at.createCounterparty.shows(changed);
  return at.createCounterparty.shows(
    edit(object, (inner) => (isJson(inner) ? changed(inner) : inner)),
  );
}

interface Text {
  readonly name: string;
  readonly object?: string;
  /** The beginning of the ids of the text's faults. @defaultValue the name */
  readonly prefix?: string;
  /**
   * `value`: the requirement that another text breaks. `type`: the one that null or a number
   * breaks.
   */
  readonly value: Broken;
  readonly type: Broken;
}

/** The faults of a text of a counterparty, one for each way to store it wrongly. */
function ofText(
  { name, object, prefix = name, value, type }: Text,
  names: readonly TextWayName[],
): readonly Fault[] {
  return names.map((way) => {
    const [words, shown] = ways[way];
    const losesType = way.startsWith("null-") || way.startsWith("number-");
    const about = `The member ${name} of a counterparty${object === undefined ? "" : `, in ${object},`} ${words}.`;
    const change = showing(name, object, shown);
    return at.createCounterparty.fault(
      `${prefix}-${way}`,
      losesType ? type : value,
      about,
      change,
      forSomeValues,
    );
  });
}

/** A fault: any purpose is accepted, and shown changed in this way. */
function ofPurpose(way: TextWayName): Fault {
  const [words, shown] = ways[way];
  const changed = at.createOperation.shows(
    edit("operation_purpose", (text) => shown(String(text))),
  );
  const change: Change = (base) => ({ ...changed(base), purposes: anyPurpose });
  return at.createOperation.fault(
    `purpose-${way}`,
    "OPER-08",
    `A purpose ${words}.`,
    change,
    forSomeValues,
  );
}

/** Keeps an escape in a text as it was written, and does not decode it. */
const keptEscape: Change = (base) => ({
  parse: (call) => {
    const text = call.bytes.toString("latin1").replaceAll(String.raw`\u002d`, String.raw`\\u002d`);
    return base.parse({ ...call, bytes: Buffer.from(text, "latin1") });
  },
});

/**
 * Decodes a body in pieces of 256 bytes, so that a character across the border of two pieces is
 * lost.
 */
const decodedInPieces: Change = (base) => ({
  parse: (call) => {
    const pieces = Array.from({ length: Math.ceil(call.bytes.length / 256) }, (_, index) =>
      call.bytes.subarray(256 * index, 256 * (index + 1)).toString(),
    );
    return base.parse({ ...call, bytes: Buffer.from(pieces.join("")) });
  },
});

/** Faults that lose a text or make something else of it. */
export const textFaults: readonly Fault[] = [
  ...ofText(
    { name: "external_id", prefix: "external-id", value: "CPTY-06", type: ["CPTY-02", "CPTY-06"] },
    [
      "plus-as-blank",
      "percent-decoded",
      "start-trimmed",
      "tab-as-blank",
      "cut-at-zero",
      "number-if-digits",
    ],
  ),
  ...ofText({ name: "name", value: "CPTY-07", type: ["CPTY-02", "CPTY-07"] }, [
    "plus-as-blank",
    "cut-after-255-bytes",
    "null-if-word",
  ]),
  ...ofText(
    {
      name: "city",
      object: "counterparty_address",
      value: "CPTY-08",
      type: ["CPTY-03", "CPTY-02", "CPTY-08"],
    },
    ["percent-decoded", "null-if-empty", "number-if-digits"],
  ),
  ...ofText(
    {
      name: "bank_name",
      object: "intermediary_bank",
      prefix: "intermediary-name",
      value: "CPTY-09",
      type: ["CPTY-05", "CPTY-02", "CPTY-09"],
    },
    ["plus-as-blank", "null-if-word"],
  ),
  ofPurpose("plus-as-blank"),
  ofPurpose("tab-as-blank"),
  ofPurpose("cut-at-zero"),
  faultsAnywhere().fault(
    "escape-of-hyphen-kept",
    ["CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
    "An escape of a hyphen stays an escape.",
    keptEscape,
    forSomeValues,
  ),
  faultsAnywhere().fault(
    "body-decoded-in-pieces",
    ["CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
    "A body is decoded in pieces of 256 bytes.",
    decodedInPieces,
    forSomeValues,
  ),
];
