import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Run } from "../model/run.ts";
import { makeCertificate } from "../reference/certificate.ts";
import { startReference, type ReferenceOptions } from "../reference/server.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { createWarmProgram, sharedWarmProgram } from "./warm-program.ts";

/** The result of the built command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  /** The most memory that the process has held until then. */
  readonly megabytes: number;
  readonly run: Run;
  readonly verdictOf: (id: RequirementId) => string | undefined;
}

/**
 * In what a reference server differs, what watches its requests, and whether it speaks plain HTTP.
 */
type Deviations = Pick<ReferenceOptions, "faults" | "variants" | "changes" | "onRequest"> & {
  readonly isPlain?: boolean;
};

/**
 * Runs the built command against reference servers, `atOnce` of them at a time. Call it once in a
 * test file.
 *
 * @param atOnce for tests that are concurrent, because most of a run is spent waiting.
 * @defaultValue 1
 */
export function referenceRuns(apiKey: string, atOnce = 1) {
  const customerId = "customer-1";
  let folder = "";
  let certificate: Awaited<ReturnType<typeof makeCertificate>>;
  let reports = 0;
  const own = Array.from({ length: atOnce - 1 }, () => createWarmProgram());
  const programs = [sharedWarmProgram(), ...own];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fxconform-test-"));
    certificate = await makeCertificate();
    await writeFile(join(folder, "ca.pem"), certificate.ca);
  });
  afterAll(async () => {
    for (const program of own) program.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fxconform = async (words: readonly string[]): Promise<CommandResult> => {
    reports += 1;
    const directory = join(folder, `report-${reports}`);
    const program = programs[reports % programs.length] ?? expect.fail("no program");
    const { code, stdout, stderr, megabytes } = await program.run(
      [...words, "--report-dir", directory, "--reports", "json"],
      {
        cwd: process.cwd(),
        within: 240,
        // The seed is fixed, because a run with another seed sends a few requests more or less.
        env: { ...process.env, FXCONFORM_API_KEY: apiKey, FXCONFORM_SEED: "1" },
      },
    );
    const text = await readFile(join(directory, "report.json"), "utf8").catch(() =>
      expect.fail(`no report: ${stdout}${stderr}`),
    );
    const run = JSON.parse(text) as Run;
    return {
      code,
      stdout: stdout + stderr,
      megabytes,
      run,
      verdictOf: (id) => run.requirements.find((row) => row.id === id)?.verdict,
    };
  };

  /** Starts a server with these deviations, and calls `then` with the options that reach it. */
  const against = async <T>(
    { isPlain = false, ...server }: Deviations,
    then: (words: readonly string[]) => Promise<T>,
  ): Promise<T> => {
    const reference = await startReference({
      ...(!isPlain && { tls: certificate }),
      apiKey,
      customerId,
      ...server,
    });
    const trust = isPlain ? [] : ["--ca", join(folder, "ca.pem")];
    const words = ["--base-url", reference.baseUrl, "--customer-id", customerId, ...trust];
    try {
      return await then([
        ...words,
        "--other-purposes",
        "IMPORT",
        "--currency-pairs",
        "USDBRL,EURBRL",
      ]);
    } finally {
      await reference.close();
    }
  };

  return { fxconform, against };
}
