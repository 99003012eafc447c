import type { CommandLineName, OptionName, ValueOf } from "../cli/configuration/options.ts";
import type { Progress } from "../engine/options.ts";

/** The value of an option, or the text that its flag takes, such as `"10s"`. */
type Input<T> = T extends boolean ? boolean : T extends number ? number | string : T | string;

/** The other options of `fxconform run`, by their names in the configuration file and with the same defaults. */
type RunInput = { readonly [N in Exclude<OptionName, CommandLineName>]?: Input<ValueOf<N>> };

/** The options of `run`. */
export interface Options extends RunInput {
  /** Address of the target; a base path is kept. */
  readonly baseUrl: string;
  /** Interrupts the run. It then resolves to the results so far, with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called repeatedly during the run. */
  readonly onProgress?: (progress: Progress) => void;
}
