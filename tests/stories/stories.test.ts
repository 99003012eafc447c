import { createServer } from "node:http";
import { listening } from "../../model/testing/listening.ts";
import { expect, test, vi } from "vitest";
import { referenceRuns } from "../reference-run.ts";
import { servers, type WrongServer } from "./servers.ts";

vi.setConfig({ testTimeout: 900_000 });

const { against, fxconform } = referenceRuns("stories-test-key-3b7d");

/**
 * The first line of each mistake's block, and the lines about what waits and with what the run went
 * on.
 */
async function storyOf(
  name: WrongServer | "only faults",
  faults: readonly string[] = [],
): Promise<readonly string[]> {
  const changes = name === "only faults" ? [] : [servers[name]];
  const { stdout } = await against({ changes, faults }, (words) => fxconform(["run", ...words]));
  const [conclusion = 0] = [stdout.indexOf("nonconformant ·")].filter((at) => at >= 0);
  return stdout
    .slice(0, conclusion === 0 ? undefined : conclusion)
    .split("\n")
    .filter((line) => /^✗ \w|^ {2}(?:Until|fxconform)/.test(line))
    .map((line) => line.replaceAll(/\d+ of \d+/g, "n of n"));
}

test.each<[WrongServer, readonly RegExp[]]>([
  [
    "the token has another name",
    [
      /^✗ AUTH-01 {2}The token has another name: .*: n of n responses$/,
      /went on with the value of access_token/,
    ],
  ],
  [
    "ids are numbers",
    [
      /^✗ CPTY-01 and \d+ more {2}Ids are numbers, must be strings: .*, (everywhere|at every endpoint): n of n/,
      /^ {2}Until .* went on/,
    ],
  ],
  [
    "every token is accepted",
    [
      /^✗ AUTH-\d+ and \d+ more {2}Any token is accepted, .*, everywhere: n of n requests$/,
      /^ {2}Until this is mended,/,
    ],
  ],
  [
    "members are in camel case",
    [
      /^✗ OPER-05 and 1 more {2}Members are in camelCase, must be in snake_case/,
      /^ {2}Until this is mended, \d+ requirements/,
    ],
  ],
  [
    "a list at the top",
    [
      /^✗ BATCH-20 {2}The body is the list itself/,
      /^ {2}Until this is mended, BATCH-21 and BATCH-22 .* with the list as the batches/,
    ],
  ],
  [
    "amounts are rounded",
    [/^✗ OPER-06 {2}An amount comes back rounded: n of n operations, those with 2 decimals/],
  ],
  [
    "a crash on quotes",
    [
      /^✗ HTTP-04 and 1 more {2}The server crashes \(500\) on requests with an apostrophe in a text/,
    ],
  ],
])("%s", async (name, lines) => {
  const story = await storyOf(name);
  expect(story).toEqual(lines.map((line) => expect.stringMatching(line)));
});

const crash = String.raw`^✗ \S+(?: and \d+ more)? {2}The server crashes \(500\) on requests`;

/** The only block that each of these servers has: what it takes to crash it, as trials have shown. */
test.each<[WrongServer, string]>([
  [
    "a column of 11 characters",
    "with more than 11 characters at /bank_account/swift_code or /intermediary_bank/swift_code: n of n",
  ],
  ["an amount of 15 digits", "with an amount of 10000000000000 or more, at POST"],
  ["an apostrophe in a name", "with an apostrophe at /name: n of n"],
  ["a body that is not checked", "with an empty or blank body, or null as the body, everywhere: "],
  ["a unique external id", "with the /external_id of an earlier request: n of n"],
  ["everything fails", "of any kind since request (?:29[3-9]|300), at every endpoint: n of n"],
])("a crash is told by what it takes: %s", async (name, takes) => {
  const blocks = (await storyOf(name)).filter((line) => line.startsWith("✗"));
  expect(blocks).toEqual([expect.stringMatching(new RegExp(`${crash} ${takes}`))]);
});

test("a page of a firewall is one block, and neither acceptance nor refusal", async () => {
  expect((await storyOf("a firewall")).filter((line) => line.startsWith("✗"))).toEqual([
    expect.stringMatching(
      /^✗ HTTP-01 {2}Successes are declared as text\/html \(the page "404 Not Found"\), must be/,
    ),
  ]);
});

const mixedUp =
  /^✗ OPER-16 and \d more {2}POST \/corporate\/operation: a response belongs to another request that was in flight at the same time: n of n responses(?:, those sent while another was in flight)?$/;

test.each<[string, WrongServer | "only faults", readonly string[], readonly RegExp[]]>([
  [
    "a line of code that fails on null, wherever it stands",
    "a crash on any null",
    [],
    [
      /^✗ OPER-24 and \d more {2}The server crashes \(500\) on requests with null, (?:everywhere|at POST)/,
    ],
  ],
  [
    "a character in whichever text, and a member",
    "an apostrophe, and a name that is not checked",
    [],
    [
      /^✗ HTTP-04 and 1 more {2}The server crashes \(500\) on requests with an apostrophe in a text, in any member, everywhere/,
      /^✗ HTTP-04 {2}The server crashes \(500\) on requests with a missing or wrong \/name/,
    ],
  ],
  ["responses that are mixed up", "only faults", ["blind-response-of-the-other"], [mixedUp]],
  [
    "responses that are mixed up, and amounts that are rounded",
    "only faults",
    ["blind-response-of-the-other", "operation-amount-two-decimals"],
    [mixedUp, /^✗ OPER-06 {2}(?:An amount comes back rounded|POST .* is not as sent): n of n/],
  ],
  [
    "a value that is kept as it comes back",
    "amounts are kept rounded",
    [],
    [/^✗ OPER-06 {2}An amount comes back rounded: n of n/],
  ],
])("each block is one mistake: %s", async (_, name, faults, lines) => {
  // How much waits for responses that are mixed up depends on which are in flight together, and so does their place.
  const blocks = (await storyOf(name, faults)).filter((line) => line.startsWith("✗"));
  expect(blocks).toHaveLength(lines.length);
  expect(blocks).toEqual(expect.arrayContaining(lines.map((line) => expect.stringMatching(line))));
});

test.each<WrongServer>(["another base path", "the key is refused"])(
  "%s: one block says why nothing was tested, and how many requirements wait",
  async (name) => {
    const { run, stdout } = await against({ changes: [servers[name]] }, (words) =>
      fxconform(["run", ...words]),
    );
    expect(stdout.split("POST /auth/token answers with")).toHaveLength(2);
    expect(run.causes).toHaveLength(1);
    expect(run.causes[0]?.waiting?.length).toBeGreaterThan(100);
  },
);

/** What the affected requests have in common, in the words of the first mistake. */
test.each<[string, readonly string[], Parameters<typeof against>[0], RegExp]>([
  [
    "one pair",
    [],
    { faults: ["acam-status-of-second-pair"] },
    /^status is .*: \d+ of \d+ ACAM items, those for EURBRL$/,
  ],
  [
    "two in flight",
    ["--concurrency", "4", "--runs", "5", "--only", "OPER-06,OPER-16"],
    { changes: [servers["amounts are wrong while another is handled"]] },
    /: \d+ of \d+ operations, those sent while another was in flight$/,
  ],
])("affected requests have in common: %s", async (_, words, server, text) => {
  const { run } = await against(server, (target) => fxconform(["run", ...target, ...words]));
  expect(run.causes[0]?.text).toMatch(text);
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
