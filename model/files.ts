import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  lstatSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  type Stats,
} from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";

/** Makes a folder and its parents. Node's own function never ends for a folder such as /proc. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made the folder just now.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * The path, after all links, of a file or folder that somebody else names, for reading or writing:
 * it lies below this folder. What does not exist yet lies where its folder does. Throws
 * `FileProblem`, and the errors of the system.
 */
export function fileBelow(folder: string, name: string): string {
  const path = followed(resolve(folder, name));
  const way = relative(realpathSync(folder), path);
  if (isAbsolute(way) || /^\.\.(?:[/\\]|$)/.test(way)) throw new OutsideFolder();
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) refuseOther(found, false, Infinity);
  return path;
}

function followed(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  return dirname(path) === path ? path : join(followed(dirname(path)), basename(path));
}

/** How each file that fxconform writes begins, by the ending of its name. */
const heads: Readonly<Record<string, RegExp>> = {
  ".json": /^\{[^]*"tool":\s*\{\s*"name":\s*"fxconform"/,
  ".har": /^\{\s*"log":\s*\{\s*"version":\s*"1\.2",\s*"creator":\s*\{\s*"name":\s*"fxconform"/,
  ".prom": /^# HELP fxconform_/,
  ".xml": /^<\?xml [^>]*>\s*<testsuites>\s*<testsuite name="fxconform\b/,
  ".html": /^<!doctype html>[^]*<meta name="generator" content="fxconform\b/,
  ".md": /^## \S+ fxconform\b/,
  ".pem": /^# Made by fxconform\b/,
};

/**
 * Whether writing to a path would lose a file that fxconform did not write. Its first 4 KB tell.
 */
export function losesForeign(path: string, ending = extname(path)): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return false;
  if (!found.isFile()) return true;
  const descriptor = openFile(path, { most: Infinity });
  try {
    const head = Buffer.alloc(4096);
    const size = readSync(descriptor, head);
    return heads[ending]?.test(head.toString("utf8", 0, size)) !== true;
  } finally {
    closeSync(descriptor);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A new path for a temporary file, in the folder of the file `name`. */
export function temporaryPath(folder: string, name: string): string {
  return join(folder, `.${name}.${randomBytes(6).toString("hex")}.tmp`);
}

/** Removes the temporary files of runs that were killed: nobody has written to them for an hour. */
export function removeLeftovers(folder: string, now = Date.now()): void {
  for (const name of namesIn(folder).filter((one) => temporaryName.test(one))) {
    const path = join(folder, name);
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isFile() === true && file.mtimeMs < now - leftAfter) rmSync(path, { force: true });
  }
}

/** Matches the names that `temporaryPath` makes. */
const temporaryName = /^\..+[.-][0-9a-f]{12}\.tmp$/;

/** After this many milliseconds (an hour), no run writes to its temporary file any more. */
const leftAfter = 3_600_000;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The code of a system error, such as `ENOSPC`, or else the error as a text. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** Why a file that the user named cannot be judged. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** The name of the file. */
  readonly file: string;
  /** What is wrong, in words that follow the name of the file. */
  readonly what: string;

  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.file = file;
    this.what = what;
  }
}

/** Why a file is not read, in words that follow its name and show nothing of its content. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly isTooLarge: boolean;

  constructor(what: string, isTooLarge = false) {
    super(what);
    this.isTooLarge = isTooLarge;
  }
}

/** A path leads out of the folder below which it must lie. */
export class OutsideFolder extends FileProblem {
  constructor() {
    super("lies outside of its folder");
  }
}

/** The size of the largest file of each kind that is read, in bytes. */
export const fileBounds = {
  /**
   * Configuration, statement and baseline, which people write: a hundred times the usual size. It
   * also bounds the time that reading them takes.
   */
  settings: 256 * 2 ** 10,
  /** Certificates and keys: all authorities of a system, several times. */
  certificates: 2 * 2 ** 20,
  /**
   * A report. Its lists are bounded, so that this is ten times the size of the largest report. Node
   * holds a report as one text.
   */
  report: 256 * 2 ** 20,
  /** A recording, which is read entry by entry, and twice. Judging this much takes some minutes. */
  recording: 16 * 2 ** 30,
  /** One entry of a recording, or all that stands around its entries. */
  entry: 256 * 2 ** 20,
} as const;

interface Limits {
  /** The size of the largest file, in bytes. */
  readonly most: number;
  /** Whether the file may be a pipe, as a shell makes for `<(…)`. @defaultValue false */
  readonly takesPipes?: boolean;
}

/**
 * The bytes of a regular file. A device is not opened, and a pipe only with `takesPipes`, as they
 * could keep the command waiting without end. Throws `FileProblem`, and the errors of the system.
 */
export function fileBytes(path: string, limits: Limits): Buffer {
  const descriptor = openFile(path, limits);
  try {
    return bytesOf(descriptor, limits.most);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a regular file for reading; the caller closes it. Throws the same errors as `fileBytes`.
 */
export function openFile(path: string, { most, takesPipes = false }: Limits): number {
  const found = statSync(path);
  refuseOther(found, takesPipes, most);
  // Another file may stand at the path by now. Opening a pipe must not wait, unless a pipe was
  // expected.
  const waits = found.isFIFO();
  const descriptor = openSync(path, waits ? "r" : constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    refuseOther(fstatSync(descriptor), waits, most);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function refuseOther(file: Stats, takesPipes: boolean, most: number): void {
  if (file.isDirectory()) throw new FileProblem("is a folder");
  if (file.isFIFO() && !takesPipes)
    throw new FileProblem("is a pipe, not a file: save what it gives in a file");
  if (!file.isFile() && !file.isFIFO()) throw new FileProblem("is a device, not a file");
  if (file.size > most) throw tooLarge(most);
}

function tooLarge(most: number): FileProblem {
  const size = most < 2 ** 20 ? `${most / 2 ** 10} KiB` : `${Math.round(most / 2 ** 20)} MiB`;
  return new FileProblem(`is larger than ${size}`, true);
}

/**
 * Reads to the end of the file, because the size of some files, such as those of procfs, is given
 * as 0.
 */
function bytesOf(descriptor: number, most: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const part = Buffer.alloc(65_536);
    const count = readSync(descriptor, part);
    if (count === 0) return Buffer.concat(parts);
    size += count;
    if (size > most) throw tooLarge(most);
    parts.push(part.subarray(0, count));
  }
}
