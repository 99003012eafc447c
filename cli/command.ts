import type { Invocation } from "./configuration.ts";
import type { Io } from "./io.ts";
import type { Parts } from "./parts.ts";

/** A command of the program: gives the exit code. Throws `UsageError` for what the user can put right. */
export type Command = (invocation: Invocation, io: Io, parts: Parts) => Promise<number>;
