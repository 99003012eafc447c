import { createServer, type IncomingHttpHeaders } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Run } from "../model/run.ts";
import { warmCommands } from "./cli/program.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { listening } from "../model/testing/listening.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const apiKey = "recorded-key-7f3a9c21";
const command = warmCommands(apiKey);

interface Recorded {
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  /** Whether the credential is valid. */
  readonly right: boolean;
}

/** Runs the profile smoke. Returns the requests and the result. */
async function smokeOf(words: readonly string[]) {
  const recorded: Recorded[] = [];
  const tokens = new Set<string>();
  const server = createServer(({ method, url = "", headers }, answer) => {
    const right =
      url === "/auth/token"
        ? headers["x-api-key"] === apiKey
        : tokens.has(headers.authorization?.replace(/^bearer /i, "") ?? "") &&
          headers.authorization !== undefined;
    recorded.push({ request: `${method} ${url}`, headers, right });
    const token = `token-${tokens.size}-5bD0kQz81LmT`;
    if (right && url === "/auth/token") tokens.add(token);
    answer.writeHead(right ? 200 : 401, { "content-type": "application/json" });
    const body = url === "/auth/token" ? { token } : { batches: [], count: 0, total: 0 };
    answer.end(JSON.stringify(right ? body : { message: "who are you?" }));
  });
  const folder = temporaryFolder();
  const baseUrl = `http://127.0.0.1:${await listening(server)}`;
  const run = ["run", "--base-url", baseUrl, "--profile", "smoke", ...words];
  const { code, stdout, stderr } = await command(run, folder);
  const report = JSON.parse(
    await readFile(join(folder, "fxconform-report", "report.json"), "utf8"),
  ) as Run;
  return { recorded, code, stdout, stderr, report };
}

test("smoke sends the two requests that create nothing, and as many wrong credentials as its page says", async () => {
  const { recorded, code, stderr, report } = await smokeOf([]);
  expect([code, report.created], stderr).toEqual([0, []]);
  expect(new Set(recorded.map(({ request }) => request))).toEqual(
    new Set(["POST /auth/token", "GET /batches"]),
  );
  const wrong = (request: string) =>
    recorded.filter((one) => one.request === request && isWrong(one)).length;
  const page = await readFile(join(root, "docs/operator.md"), "utf8");
  const counts = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+ \S+)` +\| (\d+) /gm)].map(([, path, n]) => [path, n]),
  );
  expect({
    "GET /batches": wrong("GET /batches"),
    "POST /auth/token": wrong("POST /auth/token"),
  }).toEqual({
    "GET /batches": Number(counts["GET /batches"]),
    "POST /auth/token": Number(counts["POST /auth/token"]),
  });
  const told = Number(/about (\d+) requests/.exec(page)?.[1]);
  expect(Math.abs(recorded.length - told)).toBeLessThanOrEqual(told / 10);
});

test.each([0, 14])("--max-bad-credentials %i limits the bad credentials of a run", async (most) => {
  const { recorded, code, stdout, stderr } = await smokeOf([
    "--max-bad-credentials",
    String(most),
    "--json",
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(recorded.filter(isWrong)).toHaveLength(most);
  const summary = JSON.parse(stdout) as Pick<Run, "badCredentials" | "requests">;
  expect(summary).toMatchObject({ badCredentials: most, requests: recorded.length });
});

/**
 * Whether a request has a bad credential. A valid token without the scheme Bearer counts as bad.
 * Letter case in the scheme does not matter (RFC 9110, 11.1).
 */
function isWrong({ request, headers, right }: Recorded): boolean {
  return !right || (request === "GET /batches" && !/^bearer /i.test(headers.authorization ?? ""));
}
