import { expect, test } from "vitest";
import { memberOf } from "../spec/json.ts";
import type { RequestSpec } from "../model/request.ts";
import { operationNames, operations } from "../spec/operations.ts";
import { scenarios } from "./index.ts";
import { sentBy } from "./testing/sent-by.ts";

const fileOf = (id: string): string => `./testing/sent/${id.replaceAll("/", ".")}.golden`;

test.each(scenarios.map(({ id }) => id))("what %s sends", async (id) => {
  const scenario = scenarios.find((one) => one.id === id);
  const lines = scenario === undefined ? [] : await sentBy(scenario);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(fileOf(id));
});

// Bad credentials are judged beside good ones, wherever those are easiest to send.
const withoutBad = scenarios.filter(({ phase }) => phase !== "last");

test.each(withoutBad.map((one) => [one.id, one] as const))(
  "%s names the operations to which it sends valid requests (uses)",
  async (_id, scenario) => {
    const lines = (await sentBy(scenario)).filter((line) => /^[^|]* \| (valid|unusual)/.test(line));
    const used = operationNames.filter((name) => {
      const { method, path } = operations[name];
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")} `);
      return lines.some((line) => pattern.test(line));
    });
    expect(used.filter((name) => !scenario.operations.includes(name))).toEqual([]);
  },
);

function isEfx(body: RequestSpec["body"]) {
  return typeof body !== "function" && memberOf(body, "operation_purpose") === "EFX";
}

test("bodies without members are not sent where a missing member is refused with another status", async () => {
  const members = scenarios.find(({ id }) => id === "operation/invalid/members");
  if (members === undefined) throw new Error("the scenario is missing");
  const ids = (lines: readonly string[]) => lines.filter((line) => line.includes("OPER-20")).length;
  expect(ids(await sentBy(members))).toBe(4);
  expect(
    ids(
      await sentBy(members, ({ refusal }) =>
        refusal?.requirement === "OPER-22" ? 422 : undefined,
      ),
    ),
  ).toBe(2);
});

test("where no other purpose is accepted, its scenario sends no item", async () => {
  const other = scenarios.find(({ id }) => id === "acam/purpose/other");
  if (other === undefined) throw new Error("the scenario is missing");
  const isOther = ({ operation, body }: RequestSpec) =>
    operation === "createOperation" && !isEfx(body);
  const lines = await sentBy(other, (spec) => (isOther(spec) ? 422 : undefined));
  expect(lines.filter((line) => line.includes("/acam"))).toEqual([]);
  expect(lines.at(-1)).toContain(
    "ends without a verdict: no purpose other than EFX is known to work",
  );
});
