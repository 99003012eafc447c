import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../settings/problem.ts";

/** Makes a folder, which the caller removes. Throws `UsageError` if the system's folder for that takes none. */
export function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "fxconform-"));
  } catch (error) {
    const what = `is not a folder that can be written to (${(error as NodeJS.ErrnoException).code ?? String(error)})`;
    throw new UsageError([
      { where: "TMPDIR", what, found: tmpdir(), advice: "Set it to a folder for temporary files." },
    ]);
  }
}
