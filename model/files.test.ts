import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileBelow, fileBytes, removeLeftovers, temporaryPath } from "./files.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { once } from "node:events";

const most = 1024;

test("a regular file is read within its bound", () => {
  const path = join(temporaryFolder(), "a.yaml");
  writeFileSync(path, "a".repeat(most));
  expect(fileBytes(path, { most }).length).toBe(most);
  writeFileSync(path, "a".repeat(most + 1));
  expect(() => fileBytes(path, { most })).toThrow("is larger than");
});

test("a folder, a device and a pipe are refused at once, and are not opened", () => {
  const folder = temporaryFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => fileBytes(folder, { most })).toThrow("is a folder");
  expect(() => fileBytes("/dev/zero", { most, takesPipes: true })).toThrow(
    "is a device, not a file",
  );
  expect(() => fileBytes(pipe, { most })).toThrow("is a pipe, not a file");
});

test("files that do not tell their size have the bound too", () => {
  expect(() => fileBytes("/proc/self/maps", { most: 10 })).toThrow("is larger than");
});

const ofProcess = (path: string, pid = 0): string => path.replace(`-${process.pid}-`, `-${pid}-`);

test("temporary files of a run that was killed go, of one that still writes stay, and so do other files", async () => {
  const folder = temporaryFolder();
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const other = spawn(process.execPath, ["--eval", "setTimeout(() => undefined, 60_000)"]);
  onTestFinished(() => void other.kill());
  const killed = ofProcess(temporaryPath(folder, "report.json"), ended);
  const own = temporaryPath(folder, "report.json");
  const beside = ofProcess(temporaryPath(folder, "run.har"), other.pid);
  // A container that shares the folder, with a process of the same number.
  const elsewhere = killed.replace(/[0-9a-f]{8}-/, "00000000-");
  const others = [".report.json.tmp", "report.json", ".notes.4f2a.tmp", "run.har.0123456789ab.tmp"];
  for (const path of [killed, own, beside, elsewhere, ...others.map((name) => join(folder, name))])
    writeFileSync(path, "");
  mkdirSync(ofProcess(temporaryPath(folder, "cache"), ended));
  removeLeftovers(folder);
  const rest = readdirSync(folder).filter((name) => !name.startsWith(".cache"));
  expect(rest.toSorted()).toEqual(
    [...[own, beside, elsewhere].map((path) => basename(path)), ...others].toSorted(),
  );
  expect(readdirSync(folder)).toHaveLength(rest.length + 1);
  other.kill("SIGKILL");
  await once(other, "exit");
  removeLeftovers(folder);
  expect(readdirSync(folder)).not.toContain(basename(beside));
  expect(() => removeLeftovers(join(folder, "none"))).not.toThrow();
});

test("a file of somebody else is a regular one below the folder, links followed", () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  const inside = join(folder, "own");
  mkdirSync(inside);
  for (const path of [join(inside, "a"), join(outside, "secret"), join(folder, "beside")])
    writeFileSync(path, "");
  const links = {
    out: join(outside, "secret"),
    folder: outside,
    "link to link": join(inside, "out"),
    dangling: join(outside, "none"),
    up: "..",
    in: "a",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(inside, name));
  execFileSync("mkfifo", [join(inside, "pipe")]);
  const refused = [
    "../beside",
    "../own-2/x",
    "/etc/hostname",
    "out",
    "folder/secret",
    "folder/new",
    "link to link",
    "dangling",
    "up/beside",
    "up/own/../beside",
    "..",
    "pipe",
    "/dev/zero",
    "a/b",
  ];
  for (const name of refused) expect(() => fileBelow(inside, name), name).toThrow();
  for (const name of [
    "a",
    "in",
    "new",
    "new/deep",
    "../own/a",
    "up/own/a",
    join(inside, "a"),
    "..a",
  ])
    expect(fileBelow(inside, name), name).toMatch(inside);
});
