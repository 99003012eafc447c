import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderers } from "../../reports/index.ts";
import { referenceFor } from "../../reference/testing/reference.ts";
import {
  copyOfProgram,
  ended,
  interrupted,
  key,
  printed,
  reportIn,
  serving,
  start,
} from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends a run at once, its reports whole",
  async (signal) => {
    const folder = temporaryFolder();
    let listed = (): void => undefined;
    const underWay = new Promise<void>((done) => (listed = done));
    const baseUrl = await serving((request, answer) => {
      if (request.url === "/auth/token") answer(200, { token: "token-0123456789" });
      // No other request is ever answered.
      else listed();
    });
    // A run that waited until the time for a response is over would outlast this test.
    const words = ["run", "--base-url", baseUrl, "--customer-id", "c", "--timeout", "10m"];
    const running = start(words, folder);
    await underWay;
    running.child.kill(signal);
    expect((await ended(running)).code).toBe(130);
    expect(reportIn(folder).outcome).toBe("interrupted");
  },
);

const slowNames = `
  const dns = require("node:dns");
  dns.lookup = (name, options, done) => {
    require("node:fs").writeSync(2, "looking it up\\n");
    setTimeout(done, 600_000, null, [{ address: "127.0.0.1", family: 4 }]);
  };
  require("node:module").syncBuiltinESMExports();
`;

test("run waits for a name no longer than --timeout, and not at all once interrupted", async () => {
  const folder = temporaryFolder();
  const hook = join(folder, "slow-names.cjs");
  writeFileSync(hook, slowNames);
  const words = ["run", "--base-url", "https://fx.example", "--profile", "smoke"];
  const env = { NODE_OPTIONS: `--require ${hook}` };

  const { code, stdout } = await ended(start([...words, "--timeout", "300ms"], folder, { env }));
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining("the name fx.example was not looked up within 0.3 s"),
  ]);

  const running = start(words, folder, { env });
  await printed(running, /looking it up/, "stderr");
  expect((await interrupted(running)).code).toBe(130);
});

test("a worker that is busy for ever is ended by SIGINT, the reports whole", async () => {
  const folder = temporaryFolder();
  const baseUrl = await serving((_, answer) =>
    answer(200, { token: "token-0123456789", batches: [] }),
  );
  const program = copyOfProgram("busy", {
    "engine/server/bundle/thread.js": (text) =>
      text.replace(
        /await scenario\.\w+\(\w+\)/,
        '(await import("node:fs")).writeSync(2, "busy"); for (;;);',
      ),
  });
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke"];
  const running = start(words, folder, { program });
  await printed(running, /busy/, "stderr");
  expect((await interrupted(running)).code).toBe(130);
  expect(reportIn(folder).outcome).toBe("interrupted");
  const files = readdirSync(join(folder, "fxconform-report"));
  expect(files).toHaveLength(Object.keys(renderers).length);
});

test.each([
  ["memory", "const all = []; for (;;) all.push(new Array(100_000).fill({}));", /died: .*memory/],
  ["its own end", "process.reallyExit(7)", /died: exit code 7/],
])(
  "a worker that dies by %s ends the run as an error, with whole reports of what was found until then",
  async (_, dies, why) => {
    const folder = temporaryFolder();
    const baseUrl = await serving((_request, answer) =>
      answer(200, { token: "token-0123456789", batches: 7 }),
    );
    const program = copyOfProgram("dying", {
      "engine/server/bundle/thread.js": (text) =>
        text.replace(
          /await scenario\.\w+\(\w+\)/,
          (call) => `${call}; await new Promise((r) => setTimeout(r, 500)); ${dies}`,
        ),
      "model/bounds.js": (text) => text.replace(/threadMemory: \d+/, "threadMemory: 100"),
    });
    const run = await ended(
      start(["run", "--base-url", baseUrl, "--profile", "smoke"], folder, { program }),
    );
    expect([run.code, run.stdout]).toEqual([4, expect.stringMatching(why)]);
    const report = reportIn(folder);
    expect(report.outcome).toBe("error");
    expect(report.requirements.find(({ id }) => id === "BATCH-20")?.verdict).toBe("fail");
    expect(readdirSync(join(folder, "fxconform-report"))).toHaveLength(
      Object.keys(renderers).length,
    );
    const [file = ""] = readdirSync(folder).filter((name) => name.startsWith("fxconform-error-"));
    expect(readFileSync(join(folder, file), "utf8")).toContain("command run");
  },
);

test("concurrent smoke runs, and one that is killed, do not disturb the next run", async () => {
  const folder = temporaryFolder();
  const scratch = temporaryFolder();
  let onRequest = (): void => undefined;
  const { baseUrl } = await referenceFor({
    apiKey: key,
    customerId: "customer-1",
    onRequest: () => onRequest(),
  });
  const smoke = () =>
    start(["run", "--base-url", baseUrl, "--profile", "smoke", "--quiet"], folder, {
      env: { TMPDIR: scratch },
    });
  const passes = { code: 0, stderr: "" };
  /** What lies in the folders. The run that ends last keeps the report of the other one. */
  const left = () => [
    readdirSync(scratch),
    readdirSync(folder),
    readdirSync(join(folder, "fxconform-report")).filter((name) => name !== "previous.json"),
  ];
  const whole = [
    [],
    ["fxconform-report"],
    Object.values(renderers)
      .map(({ file }) => file)
      .sort(),
  ];

  expect(await Promise.all([smoke(), smoke()].map(ended))).toMatchObject([passes, passes]);
  expect(left()).toEqual(whole);
  const first = reportIn(folder).runId;

  const killed = smoke();
  await new Promise<void>((done) => (onRequest = done));
  killed.child.kill("SIGKILL");
  await ended(killed);
  expect(reportIn(folder).runId).toBe(first);

  rmSync(scratch, { recursive: true });
  mkdirSync(scratch);
  expect(await ended(smoke())).toMatchObject(passes);
  expect(left()).toEqual(whole);
  expect(reportIn(folder).runId).not.toBe(first);
}, 120_000);
