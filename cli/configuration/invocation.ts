import { Misfit, type Kind } from "./kinds/kind.ts";
import { UsageError, type Problem } from "./problem.ts";

/** Flags as typed: a text, several if a flag is repeatable, or whether the flag is given. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** The arguments after the name of a command. */
export interface Invocation {
  /** Flags by option name; `config` among them. */
  readonly flags: Flags;
  /** Words that are not flags. */
  readonly words: readonly string[];
  /** Words that the command does not know. */
  readonly problems: readonly Problem[];
}

/** The value of a command's own flag; undefined if the flag was not given. Throws `UsageError`. */
export function flagValue<T>(where: string, word: Flags[string], { ofText }: Pick<Kind<T>, "ofText">): T | undefined {
  if (word === undefined) return undefined;
  const text = String(word);
  try {
    if (text.startsWith("--")) throw new Misfit("followed by a value");
    return ofText(text);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    throw new UsageError([{ where, what: `must be ${error.message}`, found: text, advice: error.advice }]);
  }
}
