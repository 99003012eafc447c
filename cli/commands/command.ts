import type { Flags } from "../../settings/sources.ts";
import type { Io } from "../output/io.ts";

/** The arguments after the name of a command. */
export interface Invocation {
  readonly flags: Flags;
  /** The words that are not flags. */
  readonly words: readonly string[];
}

/**
 * Runs a command of the program and returns the exit code. Throws `UsageError` for what the user
 * can correct.
 */
export type Command = (invocation: Invocation, io: Io) => Promise<number>;

/** A command as the help shows it. Its code is loaded only when a user calls the command. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  readonly note?: string;
  readonly words?: readonly string[];
  /**
   * Flags that only this command has, each with its text in the help. A flag with `...`, such as
   * `--fault <id...>`, can be repeated, with one id each time.
   */
  readonly flags?: Readonly<Record<string, string>>;
  readonly load: () => Promise<Command>;
}
