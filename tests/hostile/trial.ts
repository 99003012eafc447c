import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usualBound, type HostileTarget } from "./hostile-target.ts";
import { credentials } from "./obedient-but.ts";
import type { Ended, WarmProgram } from "../warm-program.ts";

/** The result of a run against a hostile target. */
export interface Trial extends Ended {
  /** The texts of the reports. A text is empty if its file is missing. */
  readonly report: string;
  readonly junit: string;
  readonly complaints: readonly string[];
}

const usual = ["--timeout", "1s", "--grace", "300ms", "--runs", "3", "--seed", "7"];

/** Runs the program against the target. */
export async function trialOf(target: HostileTarget, program: WarmProgram): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "fxconform-hostile-"));
  const running = await target.start();
  try {
    const words = [
      "run",
      "--base-url",
      running.baseUrl,
      "--customer-id",
      credentials.customerId,
      ...usual,
    ];
    words.push("--profile", target.inSmoke === true ? "smoke" : "full");
    words.push(
      "--reports",
      "json,junit",
      "--report-dir",
      join(folder, "reports"),
      ...(target.options ?? []),
    );
    const { GITHUB_STEP_SUMMARY: _, ...env } = process.env;
    const ended = await program.run(words, {
      cwd: folder,
      env: { ...env, FXCONFORM_API_KEY: credentials.apiKey },
      within: (target.within ?? usualBound) * 4,
    });
    const read = (name: string): Promise<string> => readFile(name, "utf8").catch(() => "");
    return {
      ...ended,
      report: await read(join(folder, "reports", "report.json")),
      junit: await read(join(folder, "reports", "junit.xml")),
      complaints: running.complaints?.() ?? [],
    };
  } finally {
    await running.close();
    await rm(folder, { recursive: true, force: true });
  }
}
