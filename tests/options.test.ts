import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { read } from "../settings/kinds/kind.ts";
import { configurationFor } from "../settings/configuration.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import type { RunOptions } from "../model/run-options.ts";
import { makeCertificate } from "../reference/certificate.ts";
import { runs } from "../reports/testing/runs.ts";
import {
  commandLineNames,
  flagOf,
  offFlagOf,
  optionNames,
  optionOf,
  options,
  variableOf,
  type InputOf,
  type OptionName,
} from "../settings/options.ts";
import { testContext, type Engine } from "../cli/testing/test-context.ts";
const page = readFileSync(new URL("../docs/options.md", import.meta.url), "utf8");
const { cert, key } = await makeCertificate();
const server = createServer().unref().listen(0, "127.0.0.1");
await once(server, "listening");
const watched = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Values that are not the default of an option, as the configuration file holds them. */
const samples: { readonly [N in OptionName]?: InputOf<N> } = {
  baseUrl: "https://127.0.0.1:4020",
  apiKey: "key-of-the-sample",
  apiKeyFile: "key.txt",
  customerId: "c2",
  currencyPairs: ["EURBRL"],
  otherPurposes: ["IMPORT"],
  amount: { min: 5, max: 50, decimals: 2 },
  batchMembers: { note: "x" },
  profile: "smoke",
  only: ["auth"],
  exclude: ["auth"],
  seed: 5,
  timeout: "3s",
  maxTime: "3m",
  grace: "3s",
  maxBody: "3MB",
  statement: "s.yaml",
  baseline: "b.yaml",
  maxLatency: ["listBatches p95=300ms"],
  reportDir: "elsewhere",
  reports: ["junit"],
  record: "run.har",
  color: false,
  headers: { "X-Gateway": "value" },
  proxy: "http://proxy.example:3128",
  secretHeaders: ["X-Tenant"],
  ca: "cert.pem",
  cert: "whole.pem",
  key: "key.pem",
};
/** Of a flag without a sample, the other value; of another option, a number that many take. */
const sampleOf = (name: OptionName): unknown =>
  samples[name] ?? (optionOf(name).value === undefined ? optionOf(name).fallback !== true : 3);

/**
 * What must stand in the configuration file beside an option, in addition to or in place of the
 * usual values.
 */
const beside: { readonly [N in OptionName]?: Readonly<Record<string, unknown>> } = {
  apiKeyFile: { apiKey: undefined },
  watch: { baseUrl: watched },
  key: { cert: "cert.pem" },
  allowHttp: { baseUrl: "http://fx.example", profile: "full" },
};
const usual = {
  // One report, as writing all of them takes longer than everything else that these commands do.
  reports: ["json"],
  baseUrl: "https://localhost:4010",
  apiKey: "key-0123456789",
  customerId: "c1",
};

const stays = (name: OptionName): boolean => name === "watch";
const isOfJudge = (name: OptionName): boolean => ["keepValues", "secretHeaders"].includes(name);

/**
 * Starts `run`, or the command that has the option, with a file of options. Ends the command once
 * it rests.
 */
async function traceOf(
  name: OptionName,
  more: object,
  words: readonly string[],
  env: Record<string, string> = {},
) {
  const judged: unknown[] = [];
  const judgeRecordings = () =>
    Promise.resolve((options: object) => {
      judged.push({ ...options, given: undefined });
      return Promise.resolve({ run: runs.conformant, secrets: [] });
    });
  const engine: Engine = (_, control) => {
    control?.onStep?.({ step: "name", ok: true, found: "127.0.0.1" });
    return Promise.resolve(runs.conformant);
  };
  const here = testContext(engine, { judgeRecordings }, { isTerminal: true });
  const file = { ...usual, ...beside[name], ...more };
  here.file("fxconform.config.json", JSON.stringify(file));
  for (const [path, text] of Object.entries(files)) here.file(path, text);
  mkdirSync(join(here.folder, "folder"));
  const command = isOfJudge(name) ? ["judge", "x.har"] : ["run"];
  // A named file, because one that nobody named may not set every option.
  const named = ["--config", "fxconform.config.json"];
  const running = here.run([...command, ...named, ...words], { BROWSER: "true", ...env });
  if (stays(name)) {
    await Promise.race([running, vi.waitFor(() => expect(here.output()).toMatch(rested), 20_000)]);
    here.interrupt();
  }
  const { code, stdout, stderr, started } = await running;
  // The files may be counted before or after the command begins to rest.
  const steady = stdout.replace(/.*Watching \d+ files? in .*\n/, "");
  const text = JSON.stringify([
    code,
    steady,
    started.map(comparable),
    judged,
    readdirSync(here.folder),
  ]);
  const [trace = "", notes] = [text, stderr].map((one) => one.replaceAll(here.folder, "."));
  return {
    trace,
    notes,
    options: JSON.stringify(started.map(comparable)).replaceAll(here.folder, "."),
  };
}

const traces = new Map<string, ReturnType<typeof traceOf>>();

/** What happens without the option: the same for all options that stand beside the same others. */
function traceWithout(name: OptionName): ReturnType<typeof traceOf> {
  const key = stays(name) || isOfJudge(name) ? name : JSON.stringify(beside[name] ?? {});
  const trace = traces.get(key) ?? traceOf(name, {}, []);
  traces.set(key, trace);
  return trace;
}

/** The options with which a run is started, however they were spelt. */
function comparable({ target, settings, ...more }: RunOptions): object {
  return {
    // These members say where an option stands.
    ...more,
    given: undefined,
    replayCommand: undefined,
    narrowing: undefined,
    target: { ...target, ...(target.proxy && { proxy: { ...target.proxy, from: "" } }) },
    settings: { ...settings, seed: settings.seed === 5 ? 5 : "any" },
  };
}

/** Matches what `--watch` prints when nothing is left to run. */
const rested = /Waiting for a restart/;

const files = {
  "key.txt": "key-from-a-file",
  "s.yaml": "OPEN-08: 201\n",
  "cert.pem": cert,
  "key.pem": key,
  "b.yaml": "- { requirement: OPER-02, reason: known, expires: 2030-01-31 }\n",
  "whole.pem": `${cert}\n${key}`,
};

/** A value as the word of a flag or of a variable. */
function wordOf(name: OptionName, value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (name === "amount") return "5..50:2";
  if (name === "headers")
    return Object.entries(value as object).map((pair) => pair.join(": "))[0] ?? "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

test.each(optionNames)(
  "%s has an effect, the same by flag, variable and file, in the library too",
  async (name) => {
    const sample = sampleOf(name);
    const { schema } = optionOf(name).kind;
    expect(read(schema, sample), `give ${name} a sample`).toHaveProperty("value");
    const word = wordOf(name, sample);
    const ownFlag = sample === false ? offFlagOf(name) : flagOf(name);
    const flag = optionOf(name).value === undefined ? [ownFlag] : [ownFlag, word];
    const unset = Object.hasOwn(usual, name) ? { [name]: undefined } : {};
    const byFlag = await traceOf(name, unset, flag);
    const without = await traceWithout(name);
    expect(byFlag, `${name} changes nothing`).not.toEqual(without);
    expect((await traceOf(name, unset, [], { [variableOf(name)]: word })).trace).toBe(byFlag.trace);
    expect((await traceOf(name, { [name]: sample }, [])).trace).toBe(byFlag.trace);
    if (!commandLineNames.some((one) => one === name)) {
      const folder = temporaryFolder();
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      vi.spyOn(process, "cwd").mockReturnValue(folder);
      const given = { ...usual, ...beside[name], [name]: sample };
      const { options } = await configurationFor(given);
      vi.restoreAllMocks();
      expect(JSON.stringify([comparable(options)]).replaceAll(folder, ".")).toBe(byFlag.options);
    }
    for (const spelling of [flagOf(name), variableOf(name), name])
      expect(page).toMatch(`\`${spelling}`);
  },
);

test("the files on the page are configuration files", () => {
  const files = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
    ([, text = ""]) => parse(text) as object,
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    for (const [name, value] of Object.entries(file)) {
      expect(Object.keys(options)).toContain(name);
      expect(read(optionOf(name as OptionName).kind.schema, value), name).toHaveProperty("value");
    }
  }
});
