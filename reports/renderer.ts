import type { Run } from "../model/run.ts";

/** A run as one file. Pure: the same run gives the same bytes; the caller writes. */
export interface Renderer {
  /** Name of the file in the report directory. */
  readonly file: string;
  render(run: Run): string;
}
