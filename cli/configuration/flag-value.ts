import type { Flags } from "./configuration.ts";
import { Misfit, type Kind } from "./kinds/kind.ts";
import { UsageError } from "./problem.ts";

/** What the word of a command's own flag says; undefined where the flag was not given. Throws `UsageError`. */
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
