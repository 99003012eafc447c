/** A fragment of JSON Schema 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** How values of an option are read and written. */
export interface Kind<T> {
  /** Reads the word of a flag or a variable. Throws `Misfit`. */
  readonly ofText: (text: string) => T;
  /** Reads a value of the configuration file. Throws `Misfit`. */
  readonly ofFile: (value: unknown) => T;
  /** Accepts what `ofFile` accepts, as far as a schema can express it. */
  readonly schema: JsonSchema;
  /** The value as a flag's word: `ofText(toText(v))` is `v`. */
  readonly toText: (value: T) => string;
  /** The value in the file, if that differs from the text. */
  readonly toFile?: (value: T) => unknown;
  /** A flag of this kind may be repeated; its values are joined with this. */
  readonly repeatable?: "," | "\n";
}

/** A value that its option cannot take. The message completes "must be …"; it never quotes the value. */
export class Misfit extends Error {
  readonly advice: string | undefined;
  constructor(wanted: string, advice?: string) {
    super(wanted);
    this.name = "Misfit";
    this.advice = advice;
  }
}

/** A regular expression of a word in any letter case, for schemas: patterns in JSON Schema have no flags. */
export const anyCase = (word: string): string =>
  word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
