/** What settings depend on besides what the user gives. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths in flags and variables are relative to it. */
  readonly cwd: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  /** A fresh seed. */
  readonly seed: () => number;
}

/** Flags as typed: a text, several if a flag is repeatable, or whether the flag is given. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
