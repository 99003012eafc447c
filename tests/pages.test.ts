import { execFile } from "node:child_process";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../reference/certificate.ts";
import { startReference } from "../reference/server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const apiKey = "pages-key-0123456789";

/** The beginnings of commands on the pages that no test here runs, and why. */
const notRun = {
  "npm ci && npm start": "installs from a registry; .ci/run runs it on a clean checkout",
  "npm ci && npm test": "installs from a registry and runs these tests; .ci/run runs it on a clean checkout",
  "npm install ": "installs from a registry; tests/package.test.ts installs the packed package",
  "docker ": "needs a container engine; tests/kit.test.ts starts the program from the files of the image",
  "npx fxconform run --watch": "stays on a terminal; tests/cli/watch.test.ts runs it",
  "npx fxconform proxy": "stays until it is stopped; tests/cli/proxy.test.ts runs it",
} as const;

/** The environment in which the commands of a page run. */
interface Setting {
  /** The faults of the server. */
  readonly faults?: readonly string[];
  /** Addresses on the page that are replaced with that of the server, besides https://localhost:8443. */
  readonly addresses?: readonly string[];
  /** Trusts the server's certificate in every command. */
  readonly trusts?: boolean;
  /** Runs before the first command. */
  readonly before?: string;
  /** Other addresses on the page, at which a server answers every request with 401. */
  readonly others?: Readonly<Record<string, ServerOptions>>;
}

const settings: Readonly<Record<string, Setting>> = {
  "README.md": { faults: ["operation-status-created"] },
  "docs/implementer.md": { faults: ["operation-amount-whole"] },
  "docs/operator.md": {
    addresses: ["https://fx.example.com/api"],
    trusts: true,
    before: "echo '{ baseUrl: \"https://localhost:8443\", profile: smoke }' | tee sandbox.yaml > production.yaml",
  },
  "docs/release-gate.md": { trusts: true, before: "echo '[]' > fxconform.baseline.yaml" },
  "docs/troubleshooting.md": {
    others: {
      "https://localhost:8444": { requestCert: true, rejectUnauthorized: true },
      "https://localhost:8445": {},
    },
  },
  "docs/traffic.md": {
    trusts: true,
    before: "npx fxconform run --base-url https://localhost:8443 --profile smoke --record recording.har",
  },
};

/** A block of commands on a page, and the output that the page shows for it. */
interface Block {
  readonly commands: readonly string[];
  readonly printed: readonly string[];
}

const names = ["README.md", ...(await readdir(join(root, "docs"))).map((name) => `docs/${name}`)];
const pages = await Promise.all(
  names
    .filter((name) => name.endsWith(".md"))
    .map(async (name) => ({ name, blocks: blocksOf(await readFile(join(root, name), "utf8")) })),
);

let folder = "";
let certificate: Awaited<ReturnType<typeof makeCertificate>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fxconform-pages-"));
  certificate = await makeCertificate();
  // What npx starts in a project that has the package installed.
  const bin = join(folder, "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  await symlink(join(root, "dist/cli/bin.js"), join(bin, "fxconform"));
  await mkdir(join(folder, "path"));
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(bin, "fxconform")}" "$@"\n`;
  await writeFile(join(folder, "path", "npx"), npx, { mode: 0o755 });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const isListed = (line: string): boolean => Object.keys(notRun).some((start) => line.startsWith(start));

/** Only these commands are started. Nothing else on a page reaches a shell. */
const isRun = (line: string): boolean => !isListed(line) && /^([A-Z_]+=[\w-]+ )?npx fxconform [^;&|`]*$/.test(line);

/** Commands of fxconform, npm and Docker. The tests ignore all others. */
const isOurs = (line: string): boolean => /^([A-Z_]+=\S+ )*(npx|npm|fxconform|docker)\b/.test(line);

test("every command of the pages is run, or there is a reason why not", () => {
  const lines = pages.flatMap(({ blocks }) => blocks.flatMap(({ commands }) => commands));
  expect(Object.keys(notRun).filter((start) => !lines.some((line) => line.startsWith(start)))).toEqual([]);
  expect(lines.filter((line) => isOurs(line) && !isRun(line) && !isListed(line))).toEqual([]);
});

describe.each(pages.filter(({ blocks }) => blocks.some(({ commands }) => commands.some(isRun))))(
  "$name",
  ({ name, blocks }) => {
    const { faults = [], addresses = [], trusts = false, before, others = {} } = settings[name] ?? {};

    test("prints what the page shows", async () => {
      const cwd = join(folder, name.replaceAll("/", "-"));
      await mkdir(cwd);
      for (const [file, text] of [
        ["server.pem", certificate.ca],
        ["client.pem", certificate.cert],
        ["client.key", certificate.key],
      ] as const)
        await writeFile(join(cwd, file), text);
      const { key, cert } = certificate;
      const server = await startReference({ tls: { key, cert }, apiKey, customerId: "cus_1", faults });
      const gateways = await Promise.all(Object.values(others).map((one) => refusing({ key, cert, ...one })));
      const places = [
        ...["https://localhost:8443", ...addresses].map((one) => [one, server.baseUrl] as const),
        ...Object.keys(others).map((one, index) => [one, gateways[index]?.baseUrl ?? ""] as const),
      ];
      const here = (text: string): string => places.reduce((line, [one, place]) => line.replaceAll(one, place), text);
      const env = {
        ...{
          PATH: `${join(folder, "path")}:${process.env["PATH"]}`,
          FXCONFORM_API_KEY: apiKey,
          GATEWAY_KEY: "gateway-1",
          // Fewer samples, because only the output matters here.
          FXCONFORM_RUNS: "2",
        },
        ...{ SANDBOX_URL: server.baseUrl, CUSTOMER: "cus_1", MY_API_KEY: apiKey },
        ...(trusts ? { FXCONFORM_CA: join(cwd, "server.pem") } : {}),
      };
      const outputOf = async (script: string): Promise<string> => {
        const started = promisify(execFile)("sh", ["-c", here(script)], { cwd, env, timeout: 60_000 });
        const { stdout, stderr } = await started.catch(
          (error: { readonly stdout: string; readonly stderr: string }) => error,
        );
        return (stdout + stderr).replaceAll(server.baseUrl, "https://localhost:8443");
      };
      try {
        if (before !== undefined) await outputOf(before);
        for (const { commands, printed } of blocks) {
          const run = commands.filter(isRun).join("\n");
          if (run === "") continue;
          const output = await outputOf(run);
          expect(printed, `${name} does not show what this prints:\n${run}\n${output}`).not.toEqual([]);
          for (const line of printed) expect(output).toMatch(patternOf(line));
        }
      } finally {
        await server.close();
        for (const { close } of gateways) close();
      }
    }, 120_000);
  },
);

/** A server that refuses every request, as a gateway does. */
const refusing = async (options: ServerOptions) => {
  const words = "<h1>No API key found in request</h1>";
  const server = createServer(options, (_, response) =>
    response.writeHead(401, { "content-type": "text/html" }).end(words),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `https://localhost:${(server.address() as AddressInfo).port}`, close };
};

/** A pattern for a printed line; `…` matches what differs from run to run. */
const patternOf = (line: string): RegExp =>
  new RegExp(
    line
      .split("…")
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
      .join(".*"),
  );

/** The output of a block: the text blocks between it and the next block of commands. */
function blocksOf(text: string): readonly Block[] {
  const fenced = [...text.matchAll(/^```(sh|text)\n(.*?)\n```$/gms)];
  const blocks: { commands: readonly string[]; printed: string[] }[] = [];
  for (const [, language, content = ""] of fenced) {
    const lines = content.split("\n").filter((line) => line.trim() !== "");
    if (language === "sh") blocks.push({ commands: lines, printed: [] });
    else blocks.at(-1)?.printed.push(...lines);
  }
  return blocks;
}
