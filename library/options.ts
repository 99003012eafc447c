import type { Progress } from "../engine/options.ts";
import type { CommandLineName, InputOf, OptionName } from "../settings/options.ts";

type Given<T> = T extends readonly (infer E)[] ? readonly E[] : T;

/** The other options of `fxconform run`, by their names in the configuration file and with the same defaults. */
type RunInput = { readonly [N in Exclude<OptionName, CommandLineName>]?: Given<InputOf<N>> };

export interface Options extends RunInput {
  /** Address of the target; a base path is kept. */
  readonly baseUrl: string;
  /** Interrupts the run. It then resolves to the results so far, with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}
