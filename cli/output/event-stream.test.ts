import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { redactionOf } from "../../model/evidence/redaction.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { progress, startFacts } from "../../reports/testing/events.ts";
import { runs } from "../../reports/testing/runs.ts";
import { local, testContext } from "../testing/test-context.ts";
import { eventDisk, eventStream } from "./event-stream.ts";
import { processIo } from "./io.ts";

const run = runs.nonconformant;
const soFar = { run: () => run, failing: () => new Set<never>(), progress: () => progress };

function eventsIn(text: string): readonly Record<string, unknown>[] {
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const kindsIn = (text: string): readonly unknown[] => [
  ...new Set(eventsIn(text).map(({ event }) => event)),
];

/** What reaches a reader of standard output, who is behind if `isBehind`. */
async function read(isBehind: boolean): Promise<string> {
  let text = "";
  const io = {
    ...processIo(),
    stdout: (more: string) => void (text += more),
    stdoutIsBehind: () => isBehind,
    stdoutIsRead: () => Promise.resolve(),
  };
  const stream = eventStream({ value: "-", where: "--events" }, io);
  const events = stream.of(redactionOf([]));
  events.started(startFacts);
  events.onProgress(progress);
  events.onUpdate(soFar);
  events.ended(run, 1);
  await stream.close();
  return text;
}

test("a reader of standard output gets every event, and a slow one all but progress", async () => {
  const slow = ["started", "verdict", "mistake", "ended"];
  expect(kindsIn(await read(true))).toEqual(slow);
  expect(kindsIn(await read(false))).toEqual(slow.toSpliced(1, 0, "progress"));
});

test("progress is reported at most twice a second", async () => {
  const path = join(temporaryFolder(), "events.jsonl");
  const stream = eventStream({ value: path, where: "--events" }, processIo());
  const events = stream.of(redactionOf([]));
  for (let requests = 0; requests < 1000; requests += 1)
    events.onProgress({ ...progress, requests });
  await stream.close();
  expect(eventsIn(readFileSync(path, "utf8")).length).toBeLessThan(10);
});

test("a file keeps what an earlier run wrote until the next one begins", async () => {
  const path = join(temporaryFolder(), "events.jsonl");
  writeFileSync(path, "earlier\n");
  const stream = eventStream({ value: path, where: "--events" }, processIo());
  expect(readFileSync(path, "utf8")).toBe("earlier\n");
  stream.of(redactionOf([])).started(startFacts);
  await stream.close();
  expect(kindsIn(readFileSync(path, "utf8"))).toEqual(["started"]);
});

test("a file has whole lines only, even on a full disk", async () => {
  const path = join(temporaryFolder(), "folder", "events.jsonl");
  const stream = eventStream({ value: path, where: "--events" }, processIo());
  const events = stream.of(redactionOf([]));
  events.started(startFacts);
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  let writes = 0;
  const disk = vi.spyOn(eventDisk, "write").mockImplementation((file, bytes, from) => {
    writes += 1;
    if (writes === 1) return writeSync(file, bytes.subarray(from, from + 10));
    throw full;
  });
  events.onProgress(progress);
  disk.mockRestore();
  events.ended(run, 1);
  expect(await stream.close()).toContain("ENOSPC");
  expect(kindsIn(readFileSync(path, "utf8"))).toEqual(["started"]);
});

test("a secret in any text is left out", async () => {
  const path = join(temporaryFolder(), "events.jsonl");
  const secret = "s3cret-0123456789";
  const stream = eventStream({ value: path, where: "--events" }, processIo());
  const events = stream.of(redactionOf([secret]));
  const said = run.causes.map((cause) => ({ ...cause, text: `${cause.text} ${secret}` }));
  events.started({ ...startFacts, target: `https://fx.example/${secret}` });
  events.onProgress({ ...progress, waiting: Buffer.from(secret).toString("base64") });
  events.ended({ ...run, causes: said, summary: secret }, 1);
  await stream.close();
  const text = readFileSync(path, "utf8");
  expect([...redactionOf([secret]).wholeIn(text)]).toEqual([]);
  expect(kindsIn(text)).toEqual(["started", "progress", "verdict", "mistake", "ended"]);
});

test("the command writes the events beside its result, or in its place", async () => {
  const { run: command, folder } = testContext(() => Promise.resolve(run));
  const { code } = await command(`run ${local} --reports json --events events.jsonl`);
  const last = eventsIn(readFileSync(join(folder, "events.jsonl"), "utf8")).at(-1);
  expect(last).toMatchObject({ event: "ended", outcome: "nonconformant", exitCode: code });
  const alone = await command(`run ${local} --reports json --events -`);
  expect(kindsIn(alone.stdout)).toContain("ended");
  expect(alone.stderr).toContain("nonconformant");
});
