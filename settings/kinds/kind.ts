import * as v from "valibot";

/** A kind of option: what its values look like. */
export interface Kind<T, I = unknown> {
  /**
   * Reads and checks a value that the configuration file or a program gives. Its messages follow
   * "must be …" and quote no value; the second line of a message, if there is one, says what to do.
   */
  readonly schema: v.GenericSchema<I, T>;
  /**
   * Turns the text of a flag or a variable into what the configuration file would hold.
   * @defaultValue the text itself
   */
  readonly fromText?: (text: string) => ValueReading<unknown>;
  /** Turns a value into a text. @defaultValue JSON for an object, words with commas for a list */
  readonly toText?: (value: T) => string;
  /** A flag of this kind may be repeated. This character joins its texts. */
  readonly repeatable?: "," | "\n";
}

/** A value, or why it does not fit and what to do. */
export type ValueReading<T> = { readonly value: T } | Misfit;

/** Why a value does not fit. `wanted` follows "must be …". */
export interface Misfit {
  readonly wanted: string;
  readonly advice: string | undefined;
}

/** Reads a value that is in the form of the configuration file. */
export function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown): ValueReading<T> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  return success ? { value: output } : misfitOf(issues[0]);
}

/** What the configuration file would hold for the text of a flag or a variable. */
export function readText(
  { fromText }: Pick<Kind<unknown>, "fromText">,
  text: string,
): ValueReading<unknown> {
  return fromText === undefined ? { value: text } : fromText(text);
}

interface Issue {
  readonly message: string;
  /** Where in the value the problem is. Absent if it is the whole value. */
  readonly path?: readonly unknown[] | undefined;
  /** For a value that can be written in several ways: why it does not fit each of them. */
  readonly issues?: readonly Issue[] | undefined;
}

/**
 * An issue of valibot as a misfit. If a value can be written in several ways, the message comes
 * from the way that refuses only a part of the value, if there is one.
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

/** Refuses a value if `messageFor` gives a message for it. */
export function refusing<T>(messageFor: (value: T) => string | undefined) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const text = dataset.typed ? messageFor(dataset.value) : undefined;
    if (text !== undefined) addIssue({ message: text });
  });
}

/**
 * Accepts an object, but not a list, which valibot itself would accept. `text` is the message, or a
 * function that makes the message from the value that is not an object. `inside` describes the
 * values of the members in the published schema.
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
