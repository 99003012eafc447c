import type { OptionName, ValueOf } from "../cli/configuration/options.ts";
import type { Progress } from "../engine/options.ts";

/** What an option takes: its value, or the text that its flag takes, such as `"10s"`. */
type Input<T> = T extends boolean ? boolean : T extends number ? number | string : T | string;

/** Options of the command line alone: of its console, its configuration file, or of commands other than `run`. */
export const consoleOptions = [
  ...(["target", "dryRun", "watch", "watchFiles", "ui", "updateBaseline", "record", "color", "quiet", "json"] as const),
  ...(["listen", "reportEvery", "keepValues", "secretHeaders"] as const),
] as const satisfies readonly OptionName[];

/** The other options of `fxconform run` by their names in the configuration file; all but the target have its defaults. */
type RunInput = { readonly [N in Exclude<OptionName, (typeof consoleOptions)[number]>]?: Input<ValueOf<N>> };

/** What `run` takes. */
export interface Options extends RunInput {
  /** Address of the target; a base path is kept. */
  readonly baseUrl: string;
  /** Ends the run: what was found so far is returned, with the outcome `interrupted`. */
  readonly signal?: AbortSignal;
  /** Called as the run goes on. */
  readonly onProgress?: (progress: Progress) => void;
}
