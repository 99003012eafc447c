import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Run } from "../model/run.ts";
import { reportIn, warmCommands } from "./cli/program.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { referenceFor } from "../reference/testing/reference.ts";
import { root } from "./execution.ts";

const apiKey = "recorded-key-7f3a9c21";
const command = warmCommands(apiKey);

/** Runs the profile smoke. Returns what was sent, whether it was refused, and the result. */
async function smokeOf(words: readonly string[]) {
  const recorded: { readonly request: string; readonly isRefused: boolean }[] = [];
  const { baseUrl } = await referenceFor({
    apiKey,
    customerId: "c1",
    onRequest: ({ method, url }, response) =>
      void response.on("finish", () => {
        const isRefused = response.statusCode === 401;
        recorded.push({ request: `${method} ${url}`, isRefused });
      }),
  });
  const folder = temporaryFolder();
  const run = ["run", "--base-url", baseUrl, "--profile", "smoke", ...words];
  return { recorded, ...(await command(run, folder)), report: reportIn(folder) };
}

test("smoke sends the two requests that create nothing, and as many wrong credentials as its page says", async () => {
  const { recorded, code, stderr, report } = await smokeOf([]);
  expect([code, report.created], stderr).toEqual([0, []]);
  expect(new Set(recorded.map(({ request }) => request))).toEqual(
    new Set(["POST /auth/token", "GET /batches"]),
  );
  const refused = (request: string) =>
    recorded.filter((one) => one.request === request && one.isRefused).length;
  const page = await readFile(join(root, "docs/operator.md"), "utf8");
  const counts = Object.fromEntries(
    [...page.matchAll(/^\| `(\w+ \S+)` +\| (\d+) /gm)].map(([, path, n]) => [path, n]),
  );
  expect({
    "GET /batches": refused("GET /batches"),
    "POST /auth/token": refused("POST /auth/token"),
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
  expect(recorded.filter(({ isRefused }) => isRefused)).toHaveLength(most);
  const summary = JSON.parse(stdout) as Pick<Run, "badCredentials" | "requests">;
  expect(summary).toMatchObject({ badCredentials: most, requests: recorded.length });
});
