import type { CommandRow } from "../commands/command.ts";
import { flagOf, optionOf } from "../configuration/options.ts";

/** An option of a command as a shell completes it. */
export interface CompletedFlag {
  /** With its dashes. */
  readonly long: string;
  readonly about: string;
  /** Its value: none, one of these words, or any text, such as a path. */
  readonly takes: "nothing" | "anything" | readonly string[];
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Its possible arguments; none if they are paths. */
  readonly words: readonly string[];
}

/** More values of options and commands than their rows name, by flag or by command. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** The commands of the table, with all that can be completed. */
export const completedCommands = (rows: readonly CommandRow[], known: KnownWords): readonly CompletedCommand[] =>
  rows.map(({ name, summary, options = [], flags = [] }) => ({
    name,
    summary,
    flags: [
      ...options.map((option) => {
        const { about, value, kind } = optionOf(option);
        const long = flagOf(option);
        return { long, about, takes: value === undefined ? "nothing" : (known[long] ?? enumOf(kind.schema)) } as const;
      }),
      ...flags.map(({ flag, about }) => {
        const long = /--[\w-]+/.exec(flag)?.[0] ?? flag;
        return { long, about, takes: flag.includes("<") ? (known[long] ?? "anything") : "nothing" } as const;
      }),
      ...(options.length > 0 ? [{ long: "--config", about: "configuration file", takes: "anything" } as const] : []),
      { long: "--help", about: "print the help", takes: "nothing" },
    ],
    words: known[name] ?? [],
  }));

/** The words that a schema names, of a value or of the elements of a list. */
function enumOf(schema: unknown): CompletedFlag["takes"] {
  if (typeof schema !== "object" || schema === null) return "anything";
  const { enum: words, items, anyOf, oneOf } = schema as Record<string, unknown>;
  if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
  const inner = [items, ...(Array.isArray(anyOf) ? anyOf : []), ...(Array.isArray(oneOf) ? oneOf : [])].map(enumOf);
  return inner.find((found) => found !== "anything") ?? "anything";
}
