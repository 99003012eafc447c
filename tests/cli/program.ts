import { reportNames } from "../../model/run-options.ts";
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { readRun } from "../../reports/read.ts";
import { sharedWarmProgram, type Ended } from "../warm-program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

export const bin = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));
if (!existsSync(bin)) throw new Error("These tests start the built program. Try: npm run build");

export const key = "key/+0123456789=äö";
export const quick = ["--timeout", "1s", "--grace", "200ms"];

/**
 * Copies the built program to a folder with this name, changes some files, and returns the path of
 * `bin.js`.
 */
export function copyOfProgram(
  name: string,
  changed: Readonly<Record<string, (text: string) => string>> = {},
): string {
  const root = join(temporaryFolder(), name);
  const here = fileURLToPath(new URL("../..", import.meta.url));
  cpSync(join(here, "dist"), join(root, "dist"), { recursive: true });
  cpSync(join(here, "package.json"), join(root, "package.json"));
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"));
  for (const [file, change] of Object.entries(changed)) {
    const path = join(root, "dist", file);
    const before = readFileSync(path, "utf8");
    const after = change(before);
    if (after === before) throw new Error(`${file} has nothing to change`);
    writeFileSync(path, after);
  }
  return join(root, "dist", "cli", "bin.js");
}

interface Started {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
}

interface Circumstances {
  readonly apiKey?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another copy of the program. */
  readonly program?: string;
}

export function start(
  words: readonly string[],
  cwd: string,
  { program = bin, ...more }: Circumstances = {},
): Started {
  return started(process.execPath, [program, ...words], cwd, more);
}

/**
 * Runs the commands of a test file in one process, one at a time. This is faster, for commands that
 * do not depend on their process.
 */
export function warmCommands(
  apiKey: string,
): (
  words: readonly string[],
  cwd: string,
  env?: Readonly<Record<string, string>>,
) => Promise<Ended> {
  const program = sharedWarmProgram();
  return (words, cwd, more) => program.run(words, { cwd, env: environment(apiKey, more) });
}

function environment(apiKey: string, more: Readonly<Record<string, string>> = {}) {
  const { GITHUB_STEP_SUMMARY: _, ...outer } = process.env;
  // Variables for the tests themselves are none of the program's.
  const env = Object.fromEntries(
    Object.entries(outer).filter(([name]) => !name.startsWith("FXCONFORM_")),
  );
  // All formats, as each of them may show what it must not.
  return { ...env, FXCONFORM_REPORTS: reportNames.join(","), FXCONFORM_API_KEY: apiKey, ...more };
}

export function inShell(line: string, cwd: string): ReturnType<typeof ended> {
  return ended(started("sh", ["-c", line], cwd));
}

export function started(
  program: string,
  words: readonly string[],
  cwd: string,
  { apiKey = key, env: more }: Omit<Circumstances, "program"> = {},
): Started {
  const child = spawn(program, words, { cwd, env: environment(apiKey, more) });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return { child, output };
}

export function ended({ child, output }: Started): Promise<Omit<Ended, "megabytes">> {
  return new Promise((done) => {
    const finish = (code: number | null): void => done({ code, ...output });
    if (child.exitCode !== null || child.signalCode !== null) finish(child.exitCode);
    else child.once("close", finish);
  });
}

/** Interrupts a process, and waits for its end. */
export function interrupted(running: Started): ReturnType<typeof ended> {
  running.child.kill("SIGINT");
  return ended(running);
}

/** Waits until a process has printed `wanted`, and returns the match. */
export async function printed(
  { child, output }: Started,
  wanted: RegExp,
  where: "stdout" | "stderr" = "stdout",
): Promise<string> {
  while (child.exitCode === null) {
    const [found] = wanted.exec(output[where]) ?? [];
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`The process ended before it printed ${String(wanted)}: ${output.stderr}`);
}

/** Waits until `serve` has printed its commands, and returns the arguments of a run and the key. */
export async function servedCommand(server: Started): Promise<readonly string[]> {
  const lines = await printed(server, /API_KEY=.*\n.* run .*\n/);
  const [, apiKey = "", words = ""] = /API_KEY=(.*)\n.*?( run .*)\n/.exec(lines) ?? [];
  return [...words.trim().split(" "), "--api-key", apiKey];
}

type ReceivedResponse = (status: number, body: unknown, headers?: Record<string, string>) => void;

/** Starts a server with this handler and returns its address. */
export async function serving(
  handle: (request: IncomingMessage, response: ReceivedResponse) => void,
): Promise<string> {
  const server: Server = createServer((request, response) => {
    request.resume().on("end", () =>
      handle(request, (status, body, headers = {}) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(body));
      }),
    );
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

export function reportIn(folder: string) {
  return readRun(readFileSync(join(folder, "fxconform-report", "report.json"), "utf8"));
}
