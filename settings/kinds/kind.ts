import * as v from "valibot";

/** A message of the schema completes "must be …" and quotes no value; its second line, if any, says what to do. */
export interface Kind<T, I = unknown> {
  readonly schema: v.GenericSchema<I, T>;
  /** What the file would hold in place of the word of a flag or a variable. @defaultValue the word itself */
  readonly fromWord?: (word: string) => unknown;
  /** A flag of this kind may be repeated; its words are joined with this. */
  readonly repeatable?: "," | "\n";
}

/** The value, or what it should be and what to do. */
export type Reading<T> = { readonly value: T } | Misfit;

/** Why a value does not fit: `wanted` completes "must be …". */
export interface Misfit {
  readonly wanted: string;
  readonly advice: string | undefined;
}

/** Reads a value as the configuration file holds it. */
export function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown): Reading<T> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  return success ? { value: output } : misfitOf(issues[0]);
}

/** The message of an issue in its two parts. */
export const misfitOf = ({ message }: { readonly message: string }): Misfit => {
  const [wanted = "", advice] = message.split("\n");
  return { wanted, advice };
};

export const message = (wanted: string, advice?: string): string =>
  advice === undefined ? wanted : `${wanted}\n${advice}`;

/** Refuses a value with the message that the function gives for it, if any. */
export const refusing = <T>(messageFor: (value: T) => string | undefined) =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    const text = dataset.typed ? messageFor(dataset.value) : undefined;
    if (text !== undefined) addIssue({ message: text });
  });

/** Two ways to write a value, each with messages of its own; a union would only say that neither fits. */
export const either = <I, J, T>(
  isFirst: (value: unknown) => boolean,
  first: v.GenericSchema<I, T>,
  second: v.GenericSchema<J, T>,
): v.GenericSchema<I | J, T> => ({
  ...v.union([second, first]),
  "~run": (dataset, config) => (isFirst(dataset.value) ? first : second)["~run"](dataset, config),
});

/** A text, or something else that stands for it in the file. */
export const textOr = <J, T>(
  text: v.GenericSchema<string, T>,
  other: v.GenericSchema<J, T>,
): v.GenericSchema<string | J, T> => either((value) => typeof value === "string", text, other);

/** An object with any names. A list is none, although a record of valibot takes it for one. */
export const dictionary = <I, T>(
  value: v.GenericSchema<I, T>,
  text: string,
): v.GenericSchema<Record<string, I>, Record<string, T>> => {
  const schema = v.record(v.string(), value, text);
  return {
    ...schema,
    "~run": (dataset, config) => schema["~run"](Array.isArray(dataset.value) ? { value: undefined } : dataset, config),
  };
};
