import { execFile } from "node:child_process";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const apiKey = "recorded-key-7f3a9c21";

interface Recorded {
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  /** The credential is one that the server gave out. */
  readonly right: boolean;
}

/** What a smoke run sends to a server that issues tokens and has no batches. */
async function recordedSmoke(...words: readonly string[]): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const tokens = new Set<string>();
  const server = createServer(({ method, url = "", headers }, answer) => {
    const right =
      url === "/auth/token"
        ? headers["x-api-key"] === apiKey
        : tokens.has(headers.authorization?.replace(/^Bearer /, "") ?? "") && headers.authorization !== undefined;
    recorded.push({ request: `${method} ${url}`, headers, right });
    const token = `token-${tokens.size}-5bD0kQz81LmT`;
    if (right && url === "/auth/token") tokens.add(token);
    answer.writeHead(right ? 200 : 401, { "content-type": "application/json" });
    const body = url === "/auth/token" ? { token } : { batches: [], count: 0, total: 0 };
    answer.end(JSON.stringify(right ? body : { message: "who are you?" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "fxconform-smoke-"));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = ["run", "--base-url", baseUrl, "--profile", "smoke", ...words];
    await promisify(execFile)(process.execPath, [join(root, "dist/cli/bin.js"), ...run], {
      cwd: folder,
      env: { ...process.env, FXCONFORM_API_KEY: apiKey },
    });
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
  return recorded;
}

test("smoke sends the two requests that create nothing, and as many wrong credentials as its page says", async () => {
  const recorded = await recordedSmoke();
  expect(new Set(recorded.map(({ request }) => request))).toEqual(new Set(["POST /auth/token", "GET /batches"]));
  const wrong = (request: string) => recorded.filter((one) => one.request === request && isWrong(one)).length;
  const page = await readFile(join(root, "docs/operator.md"), "utf8");
  const counts = Object.fromEntries([...page.matchAll(/^\| `(\w+ \S+)` +\| (\d+) /gm)].map(([, path, n]) => [path, n]));
  expect({ "GET /batches": wrong("GET /batches"), "POST /auth/token": wrong("POST /auth/token") }).toEqual({
    "GET /batches": Number(counts["GET /batches"]),
    "POST /auth/token": Number(counts["POST /auth/token"]),
  });
}, 60_000);

test("with the exclusions of its page, smoke presents no wrong credential", async () => {
  const page = await readFile(join(root, "docs/operator.md"), "utf8");
  const [, exclusions = ""] = /--exclude (\S+)/.exec(page) ?? [];
  const recorded = await recordedSmoke("--exclude", exclusions);
  expect(recorded.length).toBeGreaterThan(3);
  expect(recorded.filter(isWrong).map(({ request, headers }) => [request, headers.authorization])).toEqual([]);
}, 60_000);

/** A token without its scheme is right, and still not how one may present it. */
function isWrong({ request, headers, right }: Recorded): boolean {
  return !right || (request === "GET /batches" && headers.authorization?.startsWith("Bearer ") !== true);
}
