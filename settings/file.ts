import * as v from "valibot";
import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, fileBounds, fileBytes, FileProblem } from "../model/files.ts";
import { misfitOf } from "./kinds/kind.ts";
import { describedValue, masked, UsageError, wrong, type Problem, nearest } from "./problem.ts";
import { program } from "./command-line.ts";
import { isBelowFolder } from "./found-file.ts";
import type { Flags, Source, Surroundings } from "./sources.ts";
import { flagOf, optionNames, type OptionName } from "./options.ts";

/**
 * Reads a file as YAML, or as JSON if its name ends in `.json`. Throws `UsageError`, which quotes
 * no value of the file.
 */
export async function parsedFile(path: string, where: string): Promise<unknown> {
  const text = readText(path, where);
  const { isScalar, LineCounter, parseDocument, visit } = await import("yaml");
  const { repeatedKey } = await import("../model/repeated-key.ts");
  const isJson = path.endsWith(".json");
  const lineCounter = new LineCounter();
  // With a quieter setting, the parser does not report that the file has a second document.
  const document = parseDocument(text, {
    logLevel: "error",
    lineCounter,
    // Both take quadratic time.
    prettyErrors: false,
    uniqueKeys: false,
    ...(isJson ? { schema: "json" } : {}),
  });
  const [error] = document.errors;
  if (error?.code === "MULTIPLE_DOCS")
    throw wrong(basename(path), "holds several documents", "Keep one of them, without ---.");
  const placeOf = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `at line ${line}, column ${col}`;
  };
  const wanted = isJson ? "JSON" : "YAML";
  if (error !== undefined) {
    const what = `is not ${wanted}: ${withoutQuote(error.message)} ${placeOf(error.pos[0])}`;
    throw wrong(basename(path), what);
  }
  try {
    visit(document, {
      Pair: (_, { key }) => {
        if (!isScalar(key) || key.value === null)
          throw wrong(basename(path), "has a key that is not a text", keyAdvice);
      },
    });
    const repeated = repeatedKey(document);
    if (repeated !== undefined) {
      const what = `has a key twice in one object, ${placeOf(repeated)}`;
      throw wrong(basename(path), what, "Remove one of them.");
    }
    const value: unknown = document.toJS();
    // An alias inside what it names has no end: this throws.
    JSON.stringify(value);
    return value;
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    const reason = withoutQuote(thrown instanceof Error ? thrown.message : String(thrown));
    throw wrong(basename(path), `is not ${wanted}: ${reason}`);
  }
}

const keyAdvice = "Write each key as one word, without brackets and question mark.";

/**
 * The first line of a YAML error, without the text that it quotes, because that text may be a
 * secret.
 */
function withoutQuote(message: string): string {
  return (message.split("\n", 1)[0] ?? "")
    .replace(/:$/, "")
    .replace("Maximum call stack size exceeded", "it is nested too deeply")
    .replace(/(: | "(?!quote)).*$/, "");
}

/**
 * The text of a file that an option names. By default, only a regular file is read. Throws
 * `UsageError` if the file cannot be read; it does not quote the path, because a user may have given
 * a secret itself in its place.
 */
export function readText(
  path: string,
  where: string,
  limits: Parameters<typeof fileBytes>[1] = ofSettings,
): string {
  try {
    return textIn(fileBytes(path, limits));
  } catch (error) {
    if (error instanceof FileProblem) throw wrong(where, `names what ${error.message}`, checkPath);
    throw wrong(where, `names a file that cannot be read (${codeOf(error)})`, checkPath);
  }
}

/** How messages name a file that the user named: as it is, if there is something with this name. */
export function shownFile(word: string, folder: string): string {
  return lstatSync(resolve(folder, word), { throwIfNoEntry: false }) ? word : masked(word);
}

const checkPath = "Check the path.";

/**
 * The text of a file: UTF-8 or, as editors on Windows save it, UTF-16 with a byte order mark. The
 * mark is left out.
 */
function textIn(bytes: Buffer): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (isLittle || isBig) return new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes);
  if (first === 0 || second === 0)
    throw new FileProblem("looks like UTF-16 without a byte order mark: save it as UTF-8");
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

const ofSettings = { most: fileBounds.settings };

/**
 * The text of a file with a secret. The file may also be a pipe, as a shell makes for `<(…)`.
 * Throws `UsageError`.
 */
export function readSecretText(path: string, where: string): string {
  return readText(path, where, { ...ofSettings, takesPipes: true });
}

/**
 * Reads a file that a schema describes. `advice` says what to do about an empty file. Throws
 * `UsageError` with a problem for each wrong place.
 */
export async function checkedFile<T>(
  schema: v.GenericSchema<unknown, T>,
  path: string,
  where: string,
  advice: string,
): Promise<T> {
  const file = basename(path);
  const value = await parsedFile(path, where);
  if (value === null || value === undefined) throw wrong(file, "is empty", advice);
  // valibot would accept a list as an object, so a list is replaced by null, which it refuses.
  const input = Array.isArray(value) && schema.type !== "array" ? null : value;
  const { success, output, issues } = v.safeParse(schema, input, { abortPipeEarly: true });
  if (success) return output;
  // The first problem of each place.
  const problems = new Map<string, Problem>();
  for (const problem of issues.map((issue) => problemOf(issue, file)))
    if (!problems.has(problem.where)) problems.set(problem.where, problem);
  throw new UsageError([...problems.values()]);
}

/**
 * The problem that an issue of valibot shows in a file. Its place is a member of the file, or, in a
 * list, an entry and its member.
 */
function problemOf({ path, expected, message }: v.BaseIssue<unknown>, file: string): Problem {
  const place = path?.slice(0, typeof path[0].key === "number" ? 2 : 1) ?? [];
  const names = place.map(({ key }) =>
    typeof key === "number" ? `entry ${key + 1}` : masked(String(key)),
  );
  const { wanted: what, advice } = misfitOf({ message });
  const found = expected === "never" ? undefined : describedValue(place.at(-1)?.value);
  return {
    where: names.length === 0 ? file : `${names.toReversed().join(" of ")} in ${file}`,
    what,
    found,
    advice,
  };
}

/** The names of configuration files that are looked for in the working directory. */
export const configFileNames = [
  "fxconform.config.json",
  "fxconform.config.yaml",
  "fxconform.config.yml",
] as const;

/**
 * Reads the configuration file that `--config` or `FXCONFORM_CONFIG` names, or else, unless
 * `namedOnly`, the one in the working directory. Undefined if there is none, or with
 * `--no-config`. Throws `UsageError`.
 */
export async function readConfigFile(flag: Flags[string], here: Surroundings, namedOnly: boolean) {
  const place = placeOf(flag, here, namedOnly);
  if (place === undefined) return undefined;
  const value = (await parsedFile(place.path, place.where)) ?? {};
  const name = basename(place.path);
  if (typeof value !== "object" || Array.isArray(value))
    throw wrong(name, "must be an object of options", `${program()} init writes one.`);
  const { $schema: _, ...values } = value as Record<string, unknown>;
  return {
    origin: "file" as const,
    whereOf: (key: OptionName) => `${key} in ${name}`,
    values: values as Source["values"],
    folder: dirname(place.path),
    file: place.path,
    isFound: place.isFound === true,
    problems: Object.keys(values).flatMap((key) => unknownKey(key, name)),
  };
}

function placeOf(flag: Flags[string], { cwd, env }: Surroundings, namedOnly: boolean) {
  if (typeof flag === "string") return { path: resolve(cwd, flag), where: "--config" };
  if (flag === false) return undefined;
  // An empty variable counts as not set.
  const variable = env["FXCONFORM_CONFIG"] ?? "";
  if (variable !== "") return { path: resolve(cwd, variable), where: "FXCONFORM_CONFIG" };
  if (namedOnly) return undefined;
  const [first, second] = configFileNames.filter((name) => existsSync(join(cwd, name)));
  if (first !== undefined && second !== undefined) {
    const what = `exists, and so does ${second}: only one of them can be used`;
    throw wrong(first, what, "Remove one, or name one with --config.");
  }
  if (first === undefined) return undefined;
  if (!isBelowFolder(first, cwd))
    throw wrong(first, "is a link that leads out of this folder", `Name it with --config.`);
  return { path: join(cwd, first), where: first, isFound: true };
}

function unknownKey(key: string, file: string): readonly Problem[] {
  if (optionNames.some((name) => name === key)) return [];
  const near =
    optionNames.find((name) => flagOf(name) === key || flagOf(name) === `--${key}`) ??
    nearest(key, optionNames);
  const advice =
    near === undefined
      ? `${program()} run --help --all lists all options.`
      : `Did you mean ${near}?`;
  return [{ where: `${masked(key)} in ${file}`, what: "is not an option", advice }];
}
