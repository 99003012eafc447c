import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../reference/certificate.ts";
import { startReference } from "../reference/server.ts";
import { executed, root } from "./execution.ts";
import { installPacked } from "./packed.ts";
import { createWarmProgram } from "./warm-program.ts";

const apiKey = "pages-key-0123456789";

/**
 * Commands of the pages that no test here runs, each with the reason. `*` stands for the rest of a
 * command.
 */
const notRun: Readonly<Record<string, string>> = {
  "npm ci && npm start": "installs from a registry; .ci/run runs it on a clean checkout",
  "npm ci && npm test": "installs from a registry; .ci/run runs it on a clean checkout",
  "npm install *": "installs from a registry; tests/package.test.ts installs the packed package",
  "docker *":
    "needs a container engine; tests/kit.test.ts starts the program from the files of the image",
  "kubectl *": "needs a cluster; tests/monitoring.test.ts checks and runs the CronJob",
  "useradd *": "changes the machine",
  "install *": "changes the machine",
  "echo 'FXCONFORM_BASE_URL=*": "changes the machine",
  "cp fxconform.*": "changes the machine; tests/monitoring.test.ts runs the command of the service",
  "systemctl *": "changes the machine; tests/monitoring.test.ts runs the command of the service",
  "ln -s *": "changes the machine",
  "mitmdump *": "is another program, and stays until it is stopped",
  "npx fxconform serve": "stays until it is stopped; tests/cli starts it",
  "npx fxconform run --watch": "stays on a terminal; cli/runs/watch.test.ts presses its keys",
};

/** Files that a reader brings along. All others are made by the commands before. */
const brought: Readonly<Record<string, (reader: Reader) => Promise<unknown>>> = {
  "server.pem": ({ folder, own }) => writeFile(join(folder, "server.pem"), own.ca),
  "client.pem": ({ folder, own }) => writeFile(join(folder, "client.pem"), own.cert),
  "client.key": ({ folder, own }) => writeFile(join(folder, "client.key"), own.key),
  "recording.har": async ({ run, trusted, folder }) => {
    await run(
      `npx fxconform run --base-url ${trusted} --profile smoke --reports json --record recording.har`,
    );
    const path = join(folder, "recording.har");
    // The recording as a client would make it: bad requests of a run itself do not count as
    // mistakes.
    await writeFile(path, (await readFile(path, "utf8")).replaceAll('"fxconform/', '"client/'));
  },
  "openapi.yaml": ({ folder }) =>
    copyFile(join(root, "spec/openapi.yaml"), join(folder, "openapi.yaml")),
  "sandbox.yaml": ({ folder, trusted }) =>
    writeFile(join(folder, "sandbox.yaml"), environment(trusted)),
  "production.yaml": ({ folder, trusted }) =>
    writeFile(join(folder, "production.yaml"), environment(trusted)),
  "fxconform.baseline.yaml": ({ folder }) =>
    writeFile(join(folder, "fxconform.baseline.yaml"), "[]\n"),
};

const environment = (baseUrl: string): string => JSON.stringify({ baseUrl, profile: "smoke" });

type Certificate = Awaited<ReturnType<typeof makeCertificate>>;

interface Reader {
  /** The folder in which the commands of the page run. It is empty at first. */
  readonly folder: string;
  /** The certificate of the servers on `localhost`. */
  readonly own: Certificate;
  /** The address of a server whose certificate Node trusts. */
  readonly trusted: string;
  /** Runs a script. Servers were started for the addresses on the page, and replace them. */
  readonly run: (
    script: string,
    more?: NodeJS.ProcessEnv,
  ) => Promise<{ readonly code: number; readonly output: string }>;
  readonly close: () => Promise<unknown>;
}

/** A line that starts fxconform, as a shell reads it. */
interface Command {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A block of commands, or a command within a sentence. */
interface Step {
  /** The commands of the block that are run, after the variables that earlier blocks export. */
  readonly commands: readonly string[];
  readonly exports: readonly string[];
  /** The exit code: 0, unless the block begins with another one, as in "```sh exit=1". */
  readonly code: number;
  /** The lines of the text blocks that follow. A command within a sentence has none. */
  readonly printed: readonly string[];
  readonly isInline: boolean;
}

function pattern(command: string): RegExp {
  return new RegExp(`^${command.replaceAll(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", ".*")}$`);
}

function isListed(line: string): boolean {
  return Object.keys(notRun).some((command) => pattern(command).test(line));
}

/** Whether a line is run. Nothing else on a page reaches a shell. */
function isRun(line: string): boolean {
  return (
    !isListed(line) && /^(export [A-Z_]+=…|([A-Z_]+=[\w-]+ )?npx fxconform [^;&|`<>]*)$/.test(line)
  );
}

const names = ["README.md", ...(await readdir(join(root, "docs"))).map((name) => `docs/${name}`)];
/**
 * The page whose commands check a server that the page itself changes. It has a test of its own.
 */
const testedElsewhere = "docs/first-hour.md";
const pages = await Promise.all(
  names
    .filter((name) => name.endsWith(".md") && name !== testedElsewhere)
    .map(async (name) => {
      const text = await readFile(join(root, name), "utf8");
      return { name, text, lines: commandsOf(text), steps: stepsOf(text) };
    }),
);

test("every command of the pages is run, or there is a reason why not", () => {
  const lines = pages.flatMap((page) => page.lines);
  expect(lines.filter((line) => !isRun(line) && !isListed(line))).toEqual([]);
  expect(
    Object.keys(notRun).filter((command) => !lines.some((line) => pattern(command).test(line))),
  ).toEqual([]);
});

test("no command names a file that only a checkout or only a project with the package has", () => {
  const paths = /(^|[\s="'/])(node_modules|dist|spec|templates|tests|tools)\//;
  const lines = pages.flatMap((page) => page.lines);
  expect(lines.filter((line) => paths.test(line))).toEqual([]);
});

test("npx starts the program in the checkout too", { timeout: 240_000 }, async () => {
  const words = ["fxconform", "--version"];
  const { stdout } = await executed("npx", words, { cwd: root, timeout: 200_000 });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

let shared: ReturnType<typeof sharedParts> | undefined;
afterAll(async () => (await shared)?.close());

const withSteps = pages.filter(({ steps }) => steps.length > 0);
describe.each(withSteps)("$name", { tags: "tar" }, ({ text, steps }) => {
  let reader: Reader;
  beforeAll(async () => {
    reader = await readerOf(text, await (shared ??= sharedParts()));
    for (const [file, bring] of Object.entries(brought))
      if (text.includes(file)) await bring(reader);
  }, 120_000);
  afterAll(() => reader.close());

  for (const [index, { commands, exports, code, printed, isInline }] of steps.entries())
    test(`${commands.join("; ")}: exit code ${code}`, { timeout: 240_000 }, async () => {
      // If a page shows no output of a command, the run needs only a few requirements.
      const isShort =
        printed.length === 0 && !commands.some((command) => command.includes("--update-baseline"));
      const ended = await reader.run(
        [...exports, ...commands].join("\n"),
        isShort ? { FXCONFORM_ONLY: "auth" } : {},
      );
      expect(ended.code, ended.output).toBe(code);
      // A command that succeeds prints once what the page shows; a command that fails prints it
      // each time.
      if (!isInline && (index === 0 || code !== 0))
        expect(printed, `The page does not show what this prints:\n${ended.output}`).not.toEqual(
          [],
        );
      for (const line of printed) expect(ended.output).toMatch(linePattern(line));
    });
});

/**
 * What the readers of all pages share: certificates, what npx starts, and the process in which it
 * runs.
 */
async function sharedParts() {
  const aside = await mkdtemp(join(tmpdir(), "fxconform-pages-"));
  const own = await makeCertificate();
  const remote = await makeCertificate("fx.example.com");
  // What npx starts in a project that has the package installed.
  const { installed } = await installPacked(aside);
  const bin = join(aside, "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  const program = join(bin, "fxconform");
  await symlink(join(installed, "dist/cli/bin.js"), program);
  // A shell reads the commands of the page. They are then run in one process.
  const told = "JSON.stringify({ words: process.argv.slice(1), env: process.env })";
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" -p '${told}' -- "$@"\n`;
  await writeFile(join(aside, "npx"), npx, { mode: 0o755 });
  const trusted = join(aside, "public.pem");
  await writeFile(trusted, remote.ca);
  const warm = createWarmProgram({ program, env: { NODE_EXTRA_CA_CERTS: trusted } });
  return {
    aside,
    own,
    remote,
    trusted,
    warm,
    close: async () => {
      warm.close();
      await rm(aside, { recursive: true });
    },
  };
}

/** Starts the servers that a page names. */
async function readerOf(
  text: string,
  { aside, own, remote: shared, trusted, warm }: Awaited<ReturnType<typeof sharedParts>>,
): Promise<Reader> {
  const folder = await mkdtemp(join(tmpdir(), "fxconform-page-"));
  const faults = [...text.matchAll(/<!-- tested with the fault ([\w-]+) -->/g)].flatMap(
    ([, id = ""]) => id,
  );
  const reference = ({ key, cert }: Certificate) =>
    startReference({ tls: { key, cert }, apiKey, customerId: "cus_1", faults });
  const local = await reference(own);
  const remote = await reference(shared);
  const refusing = await Promise.all([
    refusingServer({ key: own.key, cert: own.cert, requestCert: true, rejectUnauthorized: true }),
    refusingServer({ key: own.key, cert: own.cert }),
  ]);
  const addresses: readonly (readonly [string, string])[] = [
    ["https://localhost:8443", local.baseUrl],
    ["https://localhost:8444", refusing[0].baseUrl],
    ["https://localhost:8445", refusing[1].baseUrl],
  ];
  const here = (line: string): string =>
    addresses.reduce(
      (words, [from, to]) => words.replaceAll(from, to),
      // Without a profile, nothing is sent to an address that is not loopback.
      /--profile| init /.test(line)
        ? line.replace(/https:\/\/[\w.-]*\bexample\b[\w.-]*(\/api)?/, remote.baseUrl)
        : line,
    );

  const env = {
    PATH: `${aside}:${process.env["PATH"]}`,
    NODE_EXTRA_CA_CERTS: trusted,
    // A few samples are enough, because only the output matters here.
    FXCONFORM_RUNS: "2",
    // The variables that the pages tell the reader to set.
    FXCONFORM_API_KEY: apiKey,
    MY_API_KEY: apiKey,
    GATEWAY_KEY: "gateway-1",
    SANDBOX_URL: remote.baseUrl,
    CUSTOMER: "cus_1",
  };
  return {
    folder,
    own,
    trusted: remote.baseUrl,
    run: async (script, more = {}) => {
      const words = script.replaceAll("=…", `=${apiKey}`).split("\n").map(here).join("\n");
      const read = await executed("sh", ["-ec", words], { cwd: folder, env: { ...env, ...more } });
      const ended = { code: read.code, output: read.stderr };
      for (const line of read.stdout.split("\n").filter(Boolean)) {
        const command = JSON.parse(line) as Command;
        const { code, stdout, stderr } = await warm.run(command.words, {
          ...command,
          cwd: folder,
          within: 200,
        });
        ended.output += stdout + stderr;
        ended.code = code ?? -1;
        // Stop like a shell that ends at the first command that fails.
        if (ended.code !== 0) break;
      }
      return { ...ended, output: ended.output.replaceAll(local.baseUrl, "https://localhost:8443") };
    },
    close: async () => {
      for (const server of refusing) server.close();
      await Promise.all([local.close(), remote.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a server that refuses every request, as a gateway does. */
async function refusingServer(options: ServerOptions) {
  const words = "<html><h1>No API key found in request</h1>";
  const server = createServer(options, (_, response) =>
    response.writeHead(401, { "content-type": "text/html" }).end(words),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `https://localhost:${(server.address() as AddressInfo).port}`, close };
}

/** A pattern for a printed line; `…` matches what differs from run to run. */
function linePattern(line: string): RegExp {
  const parts = line.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(parts.join(".*"));
}

/**
 * The fenced blocks of a page, and the commands of fxconform within its sentences, in the order of
 * the page.
 */
function partsOf(text: string) {
  const parts =
    /^```(?<language>\w*)(?: exit=(?<code>\d+))?\n(?<block>.*?)\n```$|`(?<inline>npx fxconform [^`<…]+)`/gms;
  return [...text.matchAll(parts)].map(({ groups: { language, code, block, inline } = {} }) => ({
    language: inline === undefined ? language : "inline",
    code: Number(code ?? 0),
    lines: (inline ?? block ?? "").split("\n").filter((line) => line.trim() !== ""),
  }));
}

/** Every line that a reader can type in. */
function commandsOf(text: string): readonly string[] {
  return partsOf(text).flatMap(({ language, lines }) =>
    language === "sh" || language === "inline" ? lines : [],
  );
}

function stepsOf(text: string): readonly Step[] {
  const exports: string[] = [];
  const steps: (Step & { readonly printed: string[] })[] = [];
  for (const { language, code, lines } of partsOf(text)) {
    const isInline = language === "inline";
    const isText = language === "text";
    if (isText) steps.findLast((step) => !step.isInline)?.printed.push(...lines);
    if (!isInline && language !== "sh") continue;
    const run = lines.filter(isRun);
    exports.push(...run.filter((line) => line.startsWith("export ")));
    const commands = run.filter((line) => !line.startsWith("export "));
    if (commands.length > 0)
      steps.push({ commands, exports: [...exports], code, printed: [], isInline });
  }
  return steps;
}
