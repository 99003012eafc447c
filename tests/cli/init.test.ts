import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended } from "./program.ts";
import { onTerminal } from "./terminal.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

test("init on a terminal: answers that are pasted at once are all taken", { tags: "script" }, async () => {
  const folder = temporaryFolder();
  const { press, shows, ...session } = onTerminal(["init"], folder);
  await shows(/Address of the server/);
  press("https://localhost:1\nenv:MY_KEY\nc1\n\nIMPORT\n\n\n");
  expect((await ended(session)).code, session.output.stdout).toBe(0);
  const lines = readFileSync(join(folder, "fxconform.config.yaml"), "utf8").match(/^\w.*$/gm);
  expect(lines).toEqual([
    "baseUrl: https://localhost:1",
    "apiKey: env:MY_KEY",
    "customerId: c1",
    'otherPurposes: ["IMPORT"]',
  ]);
});
