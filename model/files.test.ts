import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { fileBelow, fileBytes, removeLeftovers, temporaryPath } from "./files.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

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

test("temporary files go once nobody has written to them for an hour, and no other files", () => {
  const folder = temporaryFolder();
  const own = temporaryPath(folder, "report.json");
  const others = [".report.json.tmp", "report.json", ".notes.4f2a.tmp", "run.har.0123456789ab.tmp"];
  for (const path of [own, ...others.map((name) => join(folder, name))]) writeFileSync(path, "");
  mkdirSync(temporaryPath(folder, "cache"));
  removeLeftovers(folder);
  expect(readdirSync(folder)).toContain(basename(own));
  removeLeftovers(folder, Date.now() + 3_700_000);
  const rest = readdirSync(folder).filter((name) => !name.startsWith(".cache"));
  expect(rest.toSorted()).toEqual(others.toSorted());
  expect(readdirSync(folder)).toHaveLength(rest.length + 1);
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
