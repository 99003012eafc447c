import type { Run } from "../model/run.ts";

/** Renders a run as the text of one file, which the caller writes. Pure: the same run gives the same bytes. */
export interface Renderer {
  /** Name of the file in the report directory. */
  readonly file: string;
  render(run: Run): string;
}
