import type { Invocation } from "../configuration/configuration.ts";
import type { Io } from "../output/io.ts";
import type { Parts } from "../lazy-modules.ts";

/** A command of the program: gives the exit code. Throws `UsageError` for what the user can put right. */
export type Command = (invocation: Invocation, io: Io, parts: Parts) => Promise<number>;
