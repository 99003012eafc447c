import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { followFiles } from "./followers.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

test("files that change are reported once they rest; reports and installed packages do not count", async () => {
  const root = temporaryFolder();
  for (const folder of ["src", "node_modules/x", "reports"]) mkdirSync(join(root, folder), { recursive: true });
  const seen: string[] = [];
  onTestFinished(followFiles([root], [join(root, "reports")], (path) => void seen.push(path)));
  const ignored = ["reports/report.json", "node_modules/x/index.js"];
  // What is written before the watcher is ready is not seen: it is written again.
  await vi.waitFor(
    () => {
      for (const name of [...ignored, "src/server.js"]) writeFileSync(join(root, name), String(performance.now()));
      return vi.waitFor(() => expect(seen).not.toEqual([]), { timeout: 500 });
    },
    { timeout: 10_000 },
  );
  expect(new Set(seen)).toEqual(new Set([join(root, "src/server.js")]));
});
