import { createServer } from "node:http";
import { expect, test, vi } from "vitest";
import { listening } from "../../model/testing/listening.ts";
import { referenceRuns } from "../reference-run.ts";
import { overlapping, servers } from "./servers.ts";

vi.setConfig({ testTimeout: 900_000 });

const { against, fxconform } = referenceRuns("stories-test-key-3b7d", 2);

/** What a run prints of mistakes: the first line of each block, what waits, and with what the run went on. */
function storyIn(stdout: string): readonly string[] {
  return stdout
    .split("\n")
    .filter((line) => /^✗ (?:[A-Z]+-\d|The target)|^! |^ {2}(?:Until|fxconform)/.test(line))
    .map((line) =>
      line
        .replaceAll(/\d+ of \d+/g, "n of n")
        .replaceAll(/(?<=localhost:)\d+/g, "n")
        .replaceAll(/\b(and|request|mended,) \d+/g, "$1 n"),
    );
}

/*
 * The headline of each mistake, in headlines.golden: it has to lead to the line of code that is wrong. How many
 * requests show it, and how many requirements wait, hangs on what is in flight together.
 */
test("each mistake is one block that names what was shown", async () => {
  const stories = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      const { stdout } = await against(server, (words) => fxconform(["run", ...words]));
      return [`# ${name}`, ...storyIn(stdout), ""].join("\n");
    }),
  );
  await expect(stories.join("\n")).toMatchFileSnapshot("headlines.golden");
});

const isMixedUp =
  /^✗ OPER-16 and n more {2}POST \/corporate\/operation.*: a response belongs to another request that was in flight at the same time: n of n responses/;
const few = ["--concurrency", "4", "--runs", "5", "--only", "OPER-06,OPER-13,OPER-16"];

/**
 * Which requests overlap is chance, and so are the places and numbers in the headline. Where hardly any
 * did, a run shows less: it may have two more tries.
 */
test.each<[keyof typeof overlapping, readonly string[], readonly RegExp[]]>([
  ["responses are mixed up", [], [isMixedUp]],
  [
    "responses are mixed up, and amounts are rounded",
    [],
    [isMixedUp, /^✗ OPER-06 {2}(?:An amount comes back rounded|POST .* is not as sent): n of n/],
  ],
  [
    "everything fails from a moment on",
    [],
    [
      /^✗ HTTP-04 and n more {2}The server crashes \(500\) on requests of any kind since request n, (?:everywhere|at every endpoint): n of n requests$/,
    ],
  ],
  [
    "requests wait for one another",
    [],
    [
      /^✗ HTTP-04 {2}Requests in flight together wait for one another and fail \(500\) after about .*; alone, as with --concurrency 1, they are answered/,
    ],
  ],
  [
    "amounts are wrong while another is handled",
    few,
    [/^✗ OPER-06 .*: n of n operations, those sent while another was in flight$/],
  ],
  [
    "dates are wrong while another is handled",
    few,
    [/^✗ OPER-13 .*: n of n operations, those sent while another was in flight$/],
  ],
])("what overlaps is one block that says so: %s", { retry: 2 }, async (name, words, lines) => {
  const { stdout } = await against(overlapping[name], (target) =>
    fxconform(["run", ...target, ...words]),
  );
  const blocks = storyIn(stdout).filter((line) => line.startsWith("✗"));
  expect(blocks).toHaveLength(lines.length);
  expect(blocks).toEqual(expect.arrayContaining(lines.map((line) => expect.stringMatching(line))));
});

test("a server that a request ends is named with what it got at last", async () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/auth/token") response.end('{"token":"token-0123456789"}');
    else if (request.method === "GET") response.end('{"batches":[],"count":0,"total":0}');
    else {
      server.close();
      server.closeAllConnections();
    }
  });
  const port = await listening(server);
  const words = ["--base-url", `http://127.0.0.1:${port}`, "--customer-id", "c"];
  const { code, run } = await fxconform(["run", ...words]);
  expect(code).toBe(3);
  expect(run.summary).toMatch(
    /stopped responding \d+ s into the run: connect ECONNREFUSED .* One of these may have ended it, as they got no response: .*POST \/customers\/\{customer_id\}\/counterparty, valid/,
  );
});
