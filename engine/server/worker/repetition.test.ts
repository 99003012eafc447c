import { expect, test } from "vitest";
import type { RepeatableFinding, Repetition } from "../../../model/evidence/findings.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { type Exchange, isSuccess } from "../../../model/exchange.ts";
import { type RequestSpec, valid } from "../../../model/request.ts";
import { repeatFindings } from "./repetition.ts";

/** What is said of findings if the target refuses the requests that `refuses` names. */
async function repeated(
  findings: readonly Omit<RepeatableFinding, "origin" | "key">[],
  refuses: (n: number) => boolean,
  concurrency = 8,
) {
  const said: string[] = [];
  let sent = 0;
  const origin = { id: "a", name: "a" };
  await repeatFindings({
    recorder: {
      requests: () => new Map(findings.map(({ exchange }) => [exchange.id, { id: exchange.id }])),
      tried: () => undefined,
      repeatable: () =>
        findings.map((finding, index) => ({ ...finding, key: String(index), origin })),
      repeated: (_: RepeatableFinding, { text, alone }: Repetition) =>
        void said.push(alone === undefined ? text : `${text}, alone ${alone}`),
    },
    settings: { concurrency },
    sender: {
      specOf: ({ operation, intent }: Exchange): RequestSpec => ({ operation, intent }),
      violationsOf: ({ response }: Exchange) =>
        response.status === 500
          ? [{ requirement: "HTTP-04", violation: { message: "", expected: "", actual: "" } }]
          : [],
      send: async ({ operation }: RequestSpec) => {
        sent += 1;
        if (refuses(sent)) return exchangeOf(operation, { status: 415, json: { message: "no" } });
        return exchangeOf(operation);
      },
    },
  } as unknown as Parameters<typeof repeatFindings>[0]);
  return { said, sent };
}

const refused = exchangeOf("createToken", { status: 415, json: { message: "no" }, intent: valid });
const tokenCall = {
  requirement: "AUTH-03",
  exchange: refused,
  again: (other: Exchange) => !isSuccess(other),
} as const;

test("a fault that shows now and then says how often", async () => {
  expect((await repeated([tokenCall], (n) => n === 1)).said).toEqual(["2 of 2"]);
  expect((await repeated([tokenCall], () => false)).said).toEqual(["1 of 2"]);
});

test("a finding of a standing check is judged by it", async () => {
  const unreadable = exchangeOf("createBatch", { type: "text/html" });
  expect(await repeated([{ requirement: "HTTP-01", exchange: unreadable }], () => true)).toEqual({
    said: ["1 of 2"],
    sent: 1,
  });
});

test("a crash that does not show when the request is sent alone says what came instead, before other findings", async () => {
  const crash = {
    requirement: "HTTP-04",
    exchange: exchangeOf("createBatch", { status: 500 }),
  } as const;
  expect((await repeated([tokenCall, crash], () => true)).said).toEqual([
    "1 of 2, alone 415",
    "2 of 2",
  ]);
  expect((await repeated([crash], () => false, 1)).said).toEqual(["1 of 2"]);
});
