import * as v from "valibot";

/** What the values of an option look like. */
export interface Kind<T, I = unknown> {
  /**
   * What the configuration file and the library hold. A message completes "must be …" and quotes no
   * value; its second line, if any, says what to do.
   */
  readonly schema: v.GenericSchema<I, T>;
  /**
   * What the file would hold in place of a text in a flag or a variable. @defaultValue the text
   * itself
   */
  readonly fromText?: (text: string) => ValueReading<unknown>;
  /** The text for a value. @defaultValue JSON of an object, commas between the words of a list */
  readonly toText?: (value: T) => string;
  /** A flag of this kind may be repeated; its texts are joined with this. */
  readonly repeatable?: "," | "\n";
}

/** The value, or what it should be and what to do. */
export type ValueReading<T> = { readonly value: T } | Misfit;

/** Why a value does not fit: `wanted` completes "must be …". */
export interface Misfit {
  readonly wanted: string;
  readonly advice: string | undefined;
}

/** Reads a value as the configuration file holds it. */
export function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown): ValueReading<T> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  return success ? { value: output } : misfitOf(issues[0]);
}

/** What the configuration file would hold in place of the text of a flag or a variable. */
export function readText(
  { fromText }: Pick<Kind<unknown>, "fromText">,
  text: string,
): ValueReading<unknown> {
  return fromText === undefined ? { value: text } : fromText(text);
}

interface Issue {
  readonly message: string;
  /** Where in the value; absent for the whole. */
  readonly path?: readonly unknown[] | undefined;
  /** Why each way to write the value does not fit. */
  readonly issues?: readonly Issue[] | undefined;
}

/**
 * The message of an issue in its two parts. If a value can be written in several ways, the way that
 * fits the longest counts.
 */
export function misfitOf({ message, issues = [] }: Issue): Misfit {
  const inside = issues.find(({ path }) => path !== undefined);
  const [wanted = "", advice] = (inside?.message ?? message).split("\n");
  return { wanted, advice };
}

export const misfit = (wanted: string, advice?: string): Misfit => ({ wanted, advice });

export function message(wanted: string, advice?: string): string {
  return advice === undefined ? wanted : `${wanted}\n${advice}`;
}

/** Refuses a value with the message that the function gives for it, if any. */
export function refusing<T>(messageFor: (value: T) => string | undefined) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const text = dataset.typed ? messageFor(dataset.value) : undefined;
    if (text !== undefined) addIssue({ message: text });
  });
}

/**
 * An object, and no list, although valibot takes a list for an object. `text` may look at what is
 * there instead; `inside` describes the values of its members, for the published schema.
 */
export function anyObject<T = unknown>(
  text: string | ((input: unknown) => string),
  inside?: v.GenericSchema<T, unknown>,
) {
  const message =
    typeof text === "string" ? text : ({ input }: { readonly input: unknown }) => text(input);
  return { ...v.custom<Record<string, T>>(isObject, message), inside };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
