import type { Io } from "./io.ts";

/**
 * Whether the result is coloured: the option decides, else FORCE_COLOR, else NO_COLOR turns colours off, else they are
 * on for a terminal. An empty variable counts as not set; FORCE_COLOR=0 and FORCE_COLOR=false mean no colour.
 */
export function colorOn(
  { env, stdoutIsTerminal }: Pick<Io, "env" | "stdoutIsTerminal">,
  option: boolean | undefined,
): boolean {
  if (option !== undefined) return option;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return stdoutIsTerminal && !env["NO_COLOR"];
}
