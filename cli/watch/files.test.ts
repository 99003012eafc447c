import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { followFiles } from "./followers.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

test("files that change are reported once they rest; reports and installed packages do not count", async () => {
  const root = temporaryFolder();
  for (const folder of ["src", "node_modules/x", "reports"])
    mkdirSync(join(root, folder), { recursive: true });
  const seen: string[] = [];
  onTestFinished(
    followFiles([root], [join(root, "reports")], { onChange: (path) => void seen.push(path) }),
  );
  const ignored = ["reports/report.json", "node_modules/x/index.js"];
  // A file that is written before the watcher is ready is not seen, so that it is written again.
  await vi.waitFor(
    () => {
      for (const name of [...ignored, "src/server.js"])
        writeFileSync(join(root, name), String(performance.now()));
      return vi.waitFor(() => expect(seen).not.toEqual([]), { timeout: 500 });
    },
    { timeout: 30_000 },
  );
  expect(new Set(seen)).toEqual(new Set([join(root, "src/server.js")]));
});

test("links are not followed, but a folder that is named by a link is; the files are counted", async () => {
  const all = temporaryFolder();
  for (const folder of ["src/inner", "outside"]) mkdirSync(join(all, folder), { recursive: true });
  for (const file of ["src/a.js", "src/inner/b.js", "outside/c.js", "outside/d.js", "outside/e.js"])
    writeFileSync(join(all, file), "1");
  symlinkSync(join(all, "outside"), join(all, "src/away"));
  symlinkSync(join(all, "src"), join(all, "named"));
  const seen: string[] = [];
  const count = await new Promise<number>((onReady) =>
    onTestFinished(
      followFiles([join(all, "named")], [], { onReady, onChange: (path) => void seen.push(path) }),
    ),
  );
  // The link itself counts as a file.
  expect(count).toBe(3);
  writeFileSync(join(all, "outside/c.js"), "2");
  await new Promise((done) => setTimeout(done, 400));
  expect(seen).toEqual([]);
  await vi.waitFor(
    () => {
      writeFileSync(join(all, "src/inner/b.js"), String(performance.now()));
      return vi.waitFor(() => expect(seen).not.toEqual([]), { timeout: 500 });
    },
    { timeout: 30_000 },
  );
  expect(new Set(seen)).toEqual(new Set([join(all, "named/inner/b.js")]));
});
