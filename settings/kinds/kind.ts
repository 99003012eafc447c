import * as v from "valibot";
import { isObject } from "../../spec/json.ts";

/** A kind of option: what its values look like. */
export interface Kind<T, I = unknown> {
  /**
   * Reads and checks a value that the configuration file or a program gives. Its messages follow
   * "must be …" and quote no value; the second line of a message, if there is one, says what to do.
   */
  readonly schema: v.GenericSchema<I, T>;
  /**
   * Turns the text of a flag or a variable into what the configuration file would hold. A text that
   * fits nothing stays as it is, and the schema refuses it. @defaultValue the text itself
   */
  readonly fromText?: (text: string) => unknown;
  /** A flag of this kind may be repeated. This character joins its texts. */
  readonly repeatable?: "," | "\n";
}

/** Why a value does not fit. `wanted` follows "must be …". */
export interface Misfit {
  readonly wanted: string;
  readonly advice: string | undefined;
}

/**
 * Reads a value that is in the form of the configuration file: the value, or why it does not fit
 * and what to do.
 */
export function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown) {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  return success ? { value: output } : misfitOf(issues[0]);
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
 * Accepts an object, but not a list, which valibot itself would accept. `inside` describes the
 * values of the members in the published schema.
 */
export function anyObject<T = unknown>(message: string, inside?: v.GenericSchema<T, unknown>) {
  return { ...v.custom<Record<string, T>>(isObject, message), inside };
}
