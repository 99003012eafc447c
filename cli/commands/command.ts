import type { OptionName } from "../../settings/options.ts";
import type { Flags } from "../../settings/sources.ts";
import type { Io } from "../output/io.ts";

/** The arguments after the name of a command. */
export interface Invocation {
  readonly flags: Flags;
  /** Words that are not flags. */
  readonly words: readonly string[];
}

/**
 * A command of the program: returns the exit code. Throws `UsageError` for what the user can
 * correct.
 */
export type Command = (invocation: Invocation, io: Io) => Promise<number>;

/** A command as the help shows it; its code is loaded when it is called. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly note?: string;
  readonly words?: readonly string[];
  readonly options?: readonly OptionName[];
  /**
   * Flags of its own, each with what it is about. `--fault <id...>` can be repeated, with one id
   * each.
   */
  readonly flags?: Readonly<Record<string, string>>;
  /** What to tell the user about flags that only another command has. */
  readonly elsewhere?: () => Readonly<Record<string, string>>;
  readonly load: Command;
}
