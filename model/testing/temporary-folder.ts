import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes an empty folder, which is removed after the test, and returns its path. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
