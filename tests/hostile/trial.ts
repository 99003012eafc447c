import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { usualBound, type HostileTarget } from "./hostile-target.ts";
import { credentials } from "./obedient-but.ts";

/** The built program; FXCONFORM_BIN names another build of it. */
const bin = process.env["FXCONFORM_BIN"] ?? fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));

/** What came of a run against a hostile target. */
export interface Trial {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly seconds: number;
  /** The most memory that the run held at once. */
  readonly megabytes: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Texts of the files that it left, by name; empty where it left none. */
  readonly report: string;
  readonly junit: string;
  readonly complaints: readonly string[];
}

const usual = ["--timeout", "1s", "--grace", "300ms", "--runs", "3", "--seed", "7", "--profile", "full"];

/** Runs the built program against the target, for so many seconds at most. */
export const trialOf = async (target: HostileTarget, seconds = (target.within ?? usualBound) * 4): Promise<Trial> => {
  const folder = await mkdtemp(join(tmpdir(), "fxconform-hostile-"));
  const running = await target.start();
  try {
    const peak = join(folder, "peak");
    const words = ["run", "--base-url", running.baseUrl, "--customer-id", credentials.customerId, ...usual];
    words.push("--reports", "json,junit", "--report-dir", join(folder, "reports"), ...(target.options ?? []));
    if (running.ca !== undefined) {
      await writeFile(join(folder, "ca.pem"), running.ca);
      words.push("--ca", join(folder, "ca.pem"));
    }
    const { GITHUB_STEP_SUMMARY: _, ...env } = process.env;
    const began = performance.now();
    const { code, stdout, stderr } = await ended(["--import", peakTo(peak), bin, ...words], seconds, {
      cwd: folder,
      env: { ...env, FXCONFORM_API_KEY: credentials.apiKey },
    });
    const read = (name: string): Promise<string> => readFile(name, "utf8").catch(() => "");
    return {
      code,
      seconds: (performance.now() - began) / 1000,
      megabytes: Math.round(Number(await read(peak)) / 1024),
      stdout,
      stderr,
      report: await read(join(folder, "reports", "report.json")),
      junit: await read(join(folder, "reports", "junit.xml")),
      complaints: running.complaints?.() ?? [],
    };
  } finally {
    await running.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** A module that notes the most memory that a process held, in kilobytes, as it ends. */
const peakTo = (path: string): string => {
  const code = `
    import { isMainThread } from "node:worker_threads";
    import { writeFileSync } from "node:fs";
    if (isMainThread) process.on("exit", () => writeFileSync(${JSON.stringify(path)}, String(process.resourceUsage().maxRSS)));
  `;
  return `data:text/javascript,${encodeURIComponent(code)}`;
};

const ended = (
  words: readonly string[],
  seconds: number,
  at: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, words, { ...at, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
