import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { redactionOf } from "../../model/evidence/redaction.ts";
import type { Io } from "./io.ts";
import { recordingFile } from "./recording-file.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const secrets = redactionOf(["a-long-secret"]);
const silent = { stderr: () => undefined } as unknown as Io;
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

test.each([0, 1, 3])("a recording of %i exchanges is a HAR file", async (count) => {
  const path = join(folder, "new", "run.har");
  const file = recordingFile(path, "--record");
  for (let n = 0; n < count; n += 1) file.add(JSON.stringify({ n }));
  expect(await file.finish(secrets, silent)).toBe(true);
  const { log } = JSON.parse(readFileSync(path, "utf8")) as {
    log: { version: string; entries: unknown[] };
  };
  expect(log.version).toBe("1.2");
  expect(log.entries).toHaveLength(count);
});

test("a recording that holds a secret is not written", async () => {
  let printed = "";
  const io = { stderr: (text: string) => void (printed += text) } as Io;
  const file = recordingFile(join(folder, "run.har"), "--record");
  file.add(JSON.stringify({ header: "a-long-secret" }));
  expect(await file.finish(secrets, io)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  expect(printed).toContain("a secret was found in it");
});
