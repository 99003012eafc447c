import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bin, ended, printed, started, temporaryFolder } from "./program.ts";

const script = "/usr/bin/script";

test.skipIf(!existsSync(script))("init on a terminal: answers that are pasted at once are all taken", async () => {
  const folder = temporaryFolder();
  const words = ["-qfec", `'${process.execPath}' '${bin}' init`, "/dev/null"];
  const session = started(script, words, folder, { env: { TERM: "xterm" } });
  await printed(session, /Address of the server/);
  session.child.stdin?.write("https://localhost:1\nenv:MY_KEY\nc1\n\nIMPORT\n\n\n");
  expect((await ended(session)).code, session.output.stdout).toBe(0);
  const lines = readFileSync(join(folder, "fxconform.config.yaml"), "utf8").match(/^\w.*$/gm);
  expect(lines).toEqual([
    "baseUrl: https://localhost:1",
    "apiKey: env:MY_KEY",
    "customerId: c1",
    'otherPurposes: ["IMPORT"]',
  ]);
});
