import { expect, test } from "vitest";
import { memberOf } from "../spec/json.ts";
import type { RequestSpec } from "../model/request.ts";
import { operationNames, operations } from "../spec/operations.ts";
import { scenarios } from "./index.ts";
import { sentBy, type Script } from "./testing/sent-by.ts";

/** What each scenario sends to a server that obeys. */
const sentLines = new Map(
  await Promise.all(scenarios.map(async (one) => [one.id, await sentBy(one)] as const)),
);

const fileOf = (id: string): string => `./testing/sent/${id.replaceAll("/", ".")}.golden`;

/** How many valid requests in a row are shown of those that go to one endpoint. */
const mostInARow = 4;

/** What the lines of a row of valid requests to one endpoint begin with. Undefined for another line. */
const rowOf = (line = ""): string | undefined =>
  /^\w+ \/\w+.*? \| valid \|/.exec(line.replace(/operation-\w+/, "…"))?.[0];

/**
 * The lines without the rest of a long row of valid requests, which follow a design: its rows have
 * tests of their own.
 */
function shortened(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    const row = rowOf(line);
    if (row === undefined) return [line];
    let nth = 0;
    while (rowOf(lines[at - nth - 1]) === row) nth += 1;
    if (nth < mostInARow) return [line];
    const isLast = rowOf(lines[at + 1]) !== row;
    return isLast ? [`${row} … ${nth + 1 - mostInARow} more like these`] : [];
  });
}

test.each([...sentLines])("what %s sends", async (id, sent) => {
  const lines = shortened(sent);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(fileOf(id));
});

// Bad credentials are judged beside good ones, wherever those are easiest to send.
const withoutBad = scenarios.filter(({ phase }) => phase !== "last");

test.each(withoutBad.map((one) => [one.id, one] as const))(
  "%s names the operations to which it sends valid requests (uses)",
  (id, scenario) => {
    const sent = sentLines.get(id) ?? expect.fail("nothing was sent");
    const lines = sent.filter((line) => /^[^|]* \| (valid|unusual)/.test(line));
    const used = operationNames.filter((name) => {
      const { method, path } = operations[name];
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")} `);
      return lines.some((line) => pattern.test(line));
    });
    expect(used.filter((name) => !scenario.operations.includes(name))).toEqual([]);
  },
);

function scenarioOf(id: string) {
  return scenarios.find((one) => one.id === id) ?? expect.fail(`no scenario is ${id}`);
}

function isEfx(body: RequestSpec["body"]) {
  return typeof body !== "function" && memberOf(body, "operation_purpose") === "EFX";
}

test("bodies without members are not sent where a missing member is refused with another status", async () => {
  const members = scenarioOf("operation/invalid/members");
  const ids = (lines: readonly string[]) => lines.filter((line) => line.includes("OPER-20")).length;
  expect(ids(await sentBy(members))).toBe(4);
  const refusing: Script = ({ refusal }) => (refusal?.requirement === "OPER-22" ? 422 : undefined);
  expect(ids(await sentBy(members, refusing))).toBe(2);
});

test("where no other purpose is accepted, its scenario sends no item", async () => {
  const other = scenarioOf("acam/purpose/other");
  const isOther = ({ operation, body }: RequestSpec) =>
    operation === "createOperation" && !isEfx(body);
  const lines = await sentBy(other, (spec) => (isOther(spec) ? 422 : undefined));
  expect(lines.filter((line) => line.includes("/acam"))).toEqual([]);
  expect(lines.at(-1)).toContain(
    "ends without a verdict: no purpose other than EFX is known to work",
  );
});
