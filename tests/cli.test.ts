import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createNetServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { secretsIn } from "../cli/secrets.ts";
import { makeCertificate } from "../reference/certificate.ts";
import { readRun } from "../reports/read.ts";

const bin = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
if (!existsSync(bin)) throw new Error("These tests ask the built program. Try: npm run build");

const key = "key/+0123456789=äö";
const quick = ["--timeout", "1s", "--grace", "200ms"];

test("it runs as a program: version, list, help, wrong usage", async () => {
  const folder = temporaryFolder();
  expect(await ended(start(["--version"], folder))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  expect(await ended(start(["list"], folder))).toMatchObject({ code: 0, stdout: expect.stringContaining("OPER-02") });
  expect(await ended(start(["help", "run"], folder))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("--base-url"),
  });
  expect(await ended(start(["run"], folder))).toMatchObject({ code: 2, stdout: "" });
  expect(readdirSync(folder)).toEqual([]);
});

test("what breaks before a command begins is an error of ours: a line, no stack trace", async () => {
  const folder = temporaryFolder();
  const gone = join(folder, "gone");
  mkdirSync(gone);
  const nowhere = await inShell(`rmdir "${gone}" && "${process.execPath}" "${bin}" list`, gone);
  expect(nowhere).toMatchObject({ code: 4, stdout: "" });
  expect(nowhere.stderr).toMatch(/^fxconform: an error of ours, no verdict: the working directory cannot be read/);
  // Without what it depends on.
  cpSync(join(bin, "..", ".."), join(folder, "dist"), { recursive: true });
  const bare = await inShell(`"${process.execPath}" dist/cli/bin.js list`, folder);
  expect(bare).toMatchObject({ code: 4, stdout: "" });
  expect(bare.stderr).toMatch(/^fxconform: an error of ours, no verdict: Cannot find package 'commander'/);
  for (const { stderr } of [nowhere, bare]) {
    expect(stderr).not.toMatch(/^ +at /m);
    rmSync(/are in (.*)/.exec(stderr)?.[1] ?? "");
  }
});

test("a result that is not written whole ends with 4; a reader that has seen enough does not", async () => {
  const folder = temporaryFolder();
  const list = `"${process.execPath}" "${bin}" list`;
  // Blocks of 512 bytes, or of 1024 in bash.
  const cut = await inShell(`ulimit -f 4; ${list} > cut.txt`, folder);
  expect(cut).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^fxconform: standard output .* not whole\.\n$/),
  });
  expect(await inShell(`${list} | head -1 > /dev/null; exit $?`, folder)).toMatchObject({ code: 0, stderr: "" });
  expect(await inShell(`(${list}; echo $? > code.txt) | true`, folder)).toMatchObject({ stderr: "" });
  expect(readFileSync(join(folder, "code.txt"), "utf8")).toBe("0\n");
  if (!existsSync("/dev/full")) return;
  expect(await inShell(`${list} > /dev/full`, folder)).toMatchObject({
    code: 4,
    stderr: cut.stderr.replace("EFBIG", "ENOSPC"),
  });
  expect(await inShell(`${list} 2> /dev/full > /dev/null`, folder)).toMatchObject({ code: 0 });
  expect(await inShell(`${list} --nothing > /dev/full 2> /dev/full`, folder)).toMatchObject({ code: 2 });
});

test("the line that serve prints is a run that ends with 0", async () => {
  const folder = temporaryFolder();
  const server = start(["serve"], folder);
  const line = await printed(server, /^fxconform run .*\n/);
  const { code, stdout, stderr } = await ended(start(line.trim().split(" ").slice(1), folder));
  expect(code, stdout).toBe(0);
  const steps = [...stderr.matchAll(/^✓ (\w+) /gm)].map(([, step]) => step);
  expect(steps, stderr).toEqual(["name", "connection", "tls", "key", "token", "list", "operation"]);
  expect(stdout.trimEnd().split("\n").at(-1)).toContain("conformant");
  expect(readdirSync(join(folder, "fxconform-report"))).toHaveLength(7);
  server.child.kill("SIGINT");
  expect((await ended(server)).code).toBe(0);
}, 60_000);

test("it runs from a folder whose name means something in an address", async () => {
  const folder = temporaryFolder();
  const server = start(["serve", "--http"], folder);
  const line = await printed(server, /^fxconform run .*\n/);
  const program = copyOfProgram("100%25 #1 what?");
  const words = [...line.trim().split(" ").slice(1), "--only", "AUTH-01,AUTH-02", "--reports", "json"];
  const { code, stdout, stderr } = await ended(start(words, folder, { program }));
  expect(reportIn(folder).outcome, stdout + stderr).not.toBe("error");
  expect(reportIn(folder).requirements.find(({ id }) => id === "AUTH-01")?.verdict).toBe("pass");
  expect(code).not.toBe(4);
}, 60_000);

test("a target that is not there is inconclusive, with reports and no failure", async () => {
  const folder = temporaryFolder();
  const words = ["run", "--base-url", "https://localhost:1", "--customer-id", "c"];
  const { code, stdout, stderr } = await ended(start(words, folder));
  expect(code).toBe(3);
  expect(stdout).toContain("Is the server running");
  expect(stderr).toMatch(/^✓ name .*\n✗ connection {2}no answer from .*\n +Is the server running/m);
  expect(reportIn(folder).requirements.filter(({ verdict }) => verdict === "fail")).toEqual([]);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a run within two seconds, its reports whole", async (signal) => {
  const folder = temporaryFolder();
  let listed = (): void => undefined;
  const underWay = new Promise<void>((done) => (listed = done));
  const baseUrl = await serving((request, answer) => {
    if (request.url === "/auth/token") answer(200, { token: "token-0123456789" });
    // Everything else is never answered.
    else listed();
  });
  const running = start(["run", "--base-url", baseUrl, "--customer-id", "c"], folder);
  await underWay;
  const before = Date.now();
  running.child.kill(signal);
  expect((await ended(running)).code).toBe(130);
  expect(Date.now() - before).toBeLessThan(2_000);
  expect(reportIn(folder).outcome).toBe("interrupted");
});

const slowNames = `
  const dns = require("node:dns");
  dns.promises.lookup = () => {
    process.stderr.write("looking it up\\n");
    return new Promise((resolve) => setTimeout(resolve, 15_000, { address: "127.0.0.1", family: 4 }));
  };
  require("node:module").syncBuiltinESMExports();
`;

test.each(["run", "doctor"])(
  "%s waits for a name no longer than --timeout, and not at all once interrupted",
  async (command) => {
    const folder = temporaryFolder();
    const hook = join(folder, "slow-names.cjs");
    writeFileSync(hook, slowNames);
    const words = [command, "--base-url", "https://fx.example", "--profile", "smoke"];
    const env = { NODE_OPTIONS: `--require ${hook}` };

    const before = Date.now();
    const { code, stdout } = await ended(start([...words, "--timeout", "300ms"], folder, { env }));
    expect(Date.now() - before).toBeLessThan(5_000);
    expect([code, stdout]).toEqual([3, expect.stringContaining("the name fx.example was not resolved within 300 ms")]);

    const running = start(words, folder, { env });
    await printed(running, /looking it up/, "stderr");
    const interrupted = Date.now();
    running.child.kill("SIGINT");
    expect((await ended(running)).code).toBe(130);
    expect(Date.now() - interrupted).toBeLessThan(2_000);
  },
  30_000,
);

test("an interruption does not wait for the system, which cannot be told to stop looking a name up", async () => {
  const folder = temporaryFolder();
  const hook = join(folder, "held-up.cjs");
  // A slow name server cannot be had here. Opening a pipe that nobody writes to holds up the end of a process alike, so
  // it is passed off as one.
  execFileSync("mkfifo", [join(folder, "pipe")]);
  writeFileSync(
    hook,
    `${slowNames} if (require("node:worker_threads").isMainThread) {
      require("node:fs").open(${JSON.stringify(join(folder, "pipe"))}, () => {});
      process.getActiveResourcesInfo = () => ["GetAddrInfoReqWrap"];
    }`,
  );
  const words = ["run", "--base-url", "https://fx.example", "--profile", "smoke"];
  const running = start(words, folder, { env: { NODE_OPTIONS: `--require ${hook}` } });
  await printed(running, /looking it up/, "stderr");
  const before = Date.now();
  running.child.kill("SIGTERM");
  expect((await ended(running)).code ?? running.child.signalCode).toBe("SIGINT");
  expect(Date.now() - before).toBeLessThan(2_000);
  expect(reportIn(folder).outcome).toBe("interrupted");
}, 30_000);

test("an interruption does not wait for a certificate", async () => {
  const folder = temporaryFolder();
  const { cert, key: certificateKey } = await makeCertificate();
  const secure = createSecureServer({ cert, key: certificateKey }, (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ token: "token-0123456789" }));
  });
  let reached = (): void => undefined;
  const underWay = new Promise<void>((done) => (reached = done));
  const sockets: Socket[] = [];
  const server = createNetServer((socket) => {
    // The first connection is served, the others are left alone.
    if (sockets.push(socket) === 1) secure.emit("connection", socket);
    else reached();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running = start(["run", "--base-url", baseUrl, "--profile", "smoke", "--insecure"], folder);
  await underWay;
  const before = Date.now();
  running.child.kill("SIGINT");
  expect((await ended(running)).code).toBe(130);
  expect(Date.now() - before).toBeLessThan(2_000);
  expect(reportIn(folder).outcome).toBe("interrupted");
}, 30_000);

test.each(["SIGINT", "the bound"])(
  "a worker that is busy for ever is ended by %s, the reports whole",
  async (by) => {
    const folder = temporaryFolder();
    const baseUrl = await serving((_, answer) => answer(200, { token: "token-0123456789", batches: [] }));
    const program = copyOfProgram("busy", {
      "suites/index.suite.js": (text) =>
        text.replace("await scenario.ask(stage)", '(await import("node:fs")).writeSync(2, "busy"); for (;;);'),
      "engine/run-bound.js": (text) =>
        by === "SIGINT" ? text : text.replace(/return Math\.round\(.*/, "return 1500;"),
    });
    const running = start(["run", "--base-url", baseUrl, "--profile", "smoke"], folder, { program });
    await printed(running, /busy/, "stderr");
    const before = Date.now();
    if (by === "SIGINT") running.child.kill(by);
    expect((await ended(running)).code).toBe(by === "SIGINT" ? 130 : 4);
    expect(Date.now() - before).toBeLessThan(by === "SIGINT" ? 2_000 : 12_000);
    expect(reportIn(folder).outcome).toBe(by === "SIGINT" ? "interrupted" : "error");
    expect(readdirSync(join(folder, "fxconform-report"))).toHaveLength(7);
  },
  30_000,
);

test("suites without a scenario are an error of ours", async () => {
  const folder = temporaryFolder();
  const baseUrl = await serving((_, answer) => answer(200, { token: "token-0123456789", batches: [] }));
  const program = copyOfProgram("empty", {
    "suites/index.js": () => "export const scenarios = [];",
  });
  const { code, stdout } = await ended(
    start(["run", "--base-url", baseUrl, "--profile", "smoke"], folder, { program }),
  );
  expect(code).toBe(4);
  expect(stdout).toContain("no scenario was found");
  expect(reportIn(folder).outcome).toBe("error");
}, 30_000);

test("an error of ours with key and token in it costs no report", async () => {
  const folder = temporaryFolder();
  const token = "token-0123456789";
  const baseUrl = await serving((_, answer) => answer(200, { token, batches: [] }));
  const program = copyOfProgram("broken", {
    "suites/index.suite.js": (text) =>
      text.replace(
        "await scenario.ask(stage)",
        "const { session } = world.conversation; throw new Error(`boom ${provided.target.apiKey} ${await session.token()}`)",
      ),
  });
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke"];
  const { code, stdout, stderr } = await ended(start(words, folder, { program }));
  expect(code, stdout + stderr).toBe(4);
  const reports = join(folder, "fxconform-report");
  expect(readdirSync(reports)).toHaveLength(7);
  expect(reportIn(folder)).toMatchObject({
    outcome: "error",
    error: expect.stringContaining("boom [API key] [token]"),
  });
  const left = readdirSync(folder).filter((name) => name.startsWith("fxconform-error"));
  expect(left).toHaveLength(1);
  const paths = [...left, ...readdirSync(reports).map((name) => join("fxconform-report", name))];
  const texts = paths.map((name) => readFileSync(join(folder, name), "utf8"));
  for (const text of [stdout, stderr, ...texts]) expect(secretsIn(text, [key, token])).toEqual([]);
}, 30_000);

test("--ca is trusted besides NODE_EXTRA_CA_CERTS, by the preflight and by the run", async () => {
  const folder = temporaryFolder();
  const [its, another] = [await makeCertificate(), await makeCertificate()];
  writeFileSync(join(folder, "its.pem"), its.cert);
  writeFileSync(join(folder, "another.pem"), another.cert);
  const server = createSecureServer({ cert: its.cert, key: its.key }, (_, response) => {
    const body = { token: "token-0123456789", batches: [], count: 0, total: 0 };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const words = ["--base-url", baseUrl, "--profile", "smoke", "--ca", join(folder, "another.pem")];
  const env = { NODE_EXTRA_CA_CERTS: join(folder, "its.pem") };
  const { code, stdout } = await ended(start(["doctor", ...words], folder, { env }));
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(", trusted,");
  await ended(start(["run", ...words, "--only", "AUTH-01"], folder, { env }));
  expect(reportIn(folder).requirements.find(({ id }) => id === "AUTH-01")?.verdict).toBe("pass");
}, 30_000);

test("smoke sends POST /auth/token and GET /batches and nothing else", async () => {
  const folder = temporaryFolder();
  const seen = new Set<string>();
  const baseUrl = await serving((request, answer) => {
    seen.add(`${request.method} ${request.url?.split("?")[0]}`);
    if (request.url === "/auth/token")
      return answer(request.headers["x-api-key"] === "key-0123456789" ? 200 : 401, tokenOr401);
    answer(request.headers.authorization === "Bearer token-0123456789" ? 200 : 401, {
      batches: [],
      count: 0,
      total: 0,
      message: "m",
    });
  });
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke", ...quick];
  const { code, stdout, stderr } = await ended(start(words, folder, { apiKey: "key-0123456789" }));
  expect(code, stdout + stderr).toBe(0);
  expect([...seen].toSorted()).toEqual(["GET /batches", "POST /auth/token"]);
  expect(reportIn(folder).created).toEqual([]);
}, 60_000);

test("a server that echoes key and token in every spelling does not bring them into any report", async () => {
  const folder = temporaryFolder();
  const token = "token/+0123456789=&";
  let answers = 0;
  const baseUrl = await serving((request, answer) => {
    const told = String(request.headers["x-api-key"] ?? request.headers.authorization ?? "");
    const echoes = [key, token, told, told.replace("Bearer ", "")].flatMap(spellings);
    const echo = echoes[answers++ % echoes.length];
    const body = { token, id: echo, operation_id: echo, status: echo, message: echo, batches: echoes, [`m${key}`]: 1 };
    const headers = { "x-request-id": encodeURIComponent(echoes.join(",")) };
    answer(request.url === "/auth/token" ? 200 : 403, body, headers);
  });
  const words = ["run", "--base-url", baseUrl, "--customer-id", "c", ...quick];
  const { code, stdout, stderr } = await ended(start(words, folder));
  expect(stderr).not.toContain("a secret was found");
  expect([1, 3], stdout + stderr).toContain(code);
  expect(reportIn(folder).requests).toBeGreaterThan(3);
  const texts = readdirSync(join(folder, "fxconform-report")).map((name) =>
    readFileSync(join(folder, "fxconform-report", name), "utf8"),
  );
  expect(texts).toHaveLength(7);
  for (const text of [stdout, stderr, ...texts]) expect(secretsIn(text, [key, token])).toEqual([]);
}, 60_000);

test("a server that repeats the first token it ever issued does not bring it into any report", async () => {
  const folder = temporaryFolder();
  let issued = 0;
  const first = "token-number-1-0123456789";
  const baseUrl = await serving((request, answer) => {
    if (request.url === "/auth/token") answer(200, { token: `token-number-${++issued}-0123456789`, message: "m" });
    else answer(403, { message: `not ${first}`, batches: spellings(first) }, { [first]: first });
  });
  const words = ["run", "--base-url", baseUrl, "--profile", "smoke", ...quick];
  const { stdout, stderr } = await ended(start(words, folder));
  expect(issued).toBeGreaterThan(1);
  const texts = readdirSync(join(folder, "fxconform-report")).map((name) =>
    readFileSync(join(folder, "fxconform-report", name), "utf8"),
  );
  expect(texts).toHaveLength(7);
  for (const text of [stdout, stderr, ...texts]) expect(secretsIn(text, [first])).toEqual([]);
}, 60_000);

test("a run that is killed leaves the old reports or the new ones", async () => {
  const folder = temporaryFolder();
  const server = start(["serve"], folder);
  const line = await printed(server, /^fxconform run .*\n/);
  const words = [...line.trim().split(" ").slice(1), "--only", "AUTH-01,OPER-02"];
  const began = Date.now();
  await ended(start(words, folder));
  const whole = Date.now() - began;
  const kills = Number(process.env["FXCONFORM_KILLS"] ?? 8);
  for (let i = 0; i < kills; i++) {
    const running = start(words, folder);
    // Most of them near the end, where files are written.
    await new Promise((done) => setTimeout(done, whole * (0.5 + (0.6 * i) / kills)));
    running.child.kill("SIGKILL");
    await ended(running);
    expect(reportIn(folder).outcome).toBe("conformant");
    const page = readFileSync(join(folder, "fxconform-report", "report.html"), "utf8");
    expect(page.trimEnd()).toMatch(/<\/html>$/);
  }
  server.child.kill("SIGINT");
  await ended(server);
}, 300_000);

const tokenOr401 = { token: "token-0123456789", message: "m" };

const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret),
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("base64url"),
  Buffer.from(secret).toString("hex"),
  `before${secret}after`,
];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fxconform-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the built program in a folder of that name, with one of its files changed; gives what starts it. */
function copyOfProgram(name: string, changed: Readonly<Record<string, (text: string) => string>> = {}): string {
  const root = join(temporaryFolder(), name);
  const here = fileURLToPath(new URL("..", import.meta.url));
  cpSync(join(here, "dist"), join(root, "dist"), { recursive: true });
  cpSync(join(here, "package.json"), join(root, "package.json"));
  symlinkSync(join(here, "node_modules"), join(root, "node_modules"));
  for (const [file, change] of Object.entries(changed)) {
    const path = join(root, "dist", file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
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

const start = (words: readonly string[], cwd: string, { program = bin, ...more }: Circumstances = {}): Started =>
  started(process.execPath, [program, ...words], cwd, more);

const inShell = (line: string, cwd: string): ReturnType<typeof ended> => ended(started("sh", ["-c", line], cwd));

function started(
  program: string,
  words: readonly string[],
  cwd: string,
  { apiKey = key, env: more }: Omit<Circumstances, "program"> = {},
): Started {
  const { GITHUB_STEP_SUMMARY: _, ...env } = process.env;
  const child = spawn(program, words, { cwd, env: { ...env, FXCONFORM_API_KEY: apiKey, ...more } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return { child, output };
}

const ended = ({ child, output }: Started): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((done) => {
    const finish = (code: number | null): void => done({ code, ...output });
    if (child.exitCode !== null || child.signalCode !== null) finish(child.exitCode);
    else child.once("close", finish);
  });

/** Waits until a process has printed something. */
async function printed(
  { child, output }: Started,
  wanted: RegExp,
  where: "stdout" | "stderr" = "stdout",
): Promise<string> {
  while (child.exitCode === null) {
    const [found] = wanted.exec(output[where]) ?? [];
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`It ended first: ${output.stderr}`);
}

type Answer = (status: number, body: unknown, headers?: Record<string, string>) => void;

/** A plain server of the test's own; gives its address. */
async function serving(handle: (request: IncomingMessage, answer: Answer) => void): Promise<string> {
  const server: Server = createServer((request, response) => {
    request.resume().on("end", () =>
      handle(request, (status, body, headers = {}) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(body));
      }),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const reportIn = (folder: string) => readRun(readFileSync(join(folder, "fxconform-report", "report.json"), "utf8"));
