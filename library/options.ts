import type { CommandLineName, OptionName, ValueOf } from "../cli/configuration/options.ts";
import type { Progress } from "../engine/options.ts";

/** What an option takes: its value, or the text that its flag takes, such as `"10s"`. */
type Input<T> = T extends boolean ? boolean : T extends number ? number | string : T | string;

/** The other options of `fxconform run` by their names in the configuration file; all but the target have its defaults. */
type RunInput = { readonly [N in Exclude<OptionName, CommandLineName>]?: Input<ValueOf<N>> };

/** What `run` takes. */
export interface Options extends RunInput {
  /** Address of the target; a base path is kept. */
  readonly baseUrl: string;
  /** Ends the run: what was found so far is returned, with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called as the run goes on. */
  readonly onProgress?: (progress: Progress) => void;
}
