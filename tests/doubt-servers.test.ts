import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { takeOut } from "../harness/testing/doubts.ts";
import { valid, type RequestSpec } from "../model/request.ts";
import { settings, target } from "../model/testing/target.ts";
import { startReference } from "../reference/server.ts";
import { listUntilSeen } from "../suites/batches/following.ts";
import { createContext } from "../suites/run/context.ts";
import { contextOf, type Context } from "../suites/kit/context.ts";
import { startedRun } from "./started-run.ts";

const list: RequestSpec = { operation: "listBatches", intent: valid };

interface Case {
  readonly doubt: string;
  readonly variant: string;
  readonly send: (verbs: Context) => Promise<readonly number[]>;
  /** The result without the doubt: the statuses that count, and the requirements that are broken. */
  readonly without: string;
}

async function statuses(
  sending: readonly Promise<{ readonly response: { readonly status: number } }>[],
) {
  return (await Promise.all(sending)).map(({ response }) => response.status);
}

async function lists({ send }: Context, n: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let nth = 0; nth < n; nth += 1) found.push((await send(list)).response.status);
  return found;
}

async function operationAtOnce({
  register,
  operationFor,
  send,
}: Context): Promise<readonly number[]> {
  const counterparty = await register();
  const { since: _, ...request } = operationFor({ counterparty });
  return statuses([send(request)]);
}

const cases: readonly Case[] = [
  {
    doubt: "idle connection",
    variant: "connection-idle-408",
    send: async ({ send }) => {
      const first = await send(list);
      await wait(700);
      const second = await send(list);
      return [first.response.status, second.response.status];
    },
    without: "200 408, BATCH-28 broken",
  },
  {
    doubt: "throttling",
    variant: "rate-10",
    send: ({ send }) => statuses(Array.from({ length: 30 }, () => send(list))),
    without: "200 429",
  },
  {
    doubt: "refused token",
    variant: "token-fifty-requests",
    send: (verbs) => lists(verbs, 60),
    without: "200 401",
  },
  { doubt: "conflict", variant: "counterparty-locked-409", send: operationAtOnce, without: "409" },
  {
    doubt: "not accepted yet",
    variant: "counterparty-lags",
    send: async ({ register, create }) => {
      const { exchange } = await create({ counterparty: await register() });
      return [exchange.response.status];
    },
    without: 'answered a valid request with 400 "counterparty_id names no counterparty"',
  },
  {
    doubt: "not shown yet",
    variant: "list-lags-one-second",
    send: async (verbs) => {
      const batch = await verbs.makeBatch();
      const shown = await listUntilSeen(verbs, batch === undefined ? [] : [batch.exchange]);
      const isShown = JSON.stringify(shown.json).includes(batch?.id ?? "none");
      return [isShown ? shown.response.status : 0];
    },
    without: "0",
  },
];

/** The result: the statuses that counted, or why none did, and the requirements that are broken. */
async function outcomeOf({ variant, send }: Case): Promise<string> {
  const { apiKey, customerId } = target;
  const server = await startReference({ apiKey, customerId, variants: [variant] });
  onTestFinished(server.close);
  const own = { ...target, baseUrl: server.baseUrl };
  const run = await startedRun(own, { ...settings, timeout: 5000, grace: 5000 });
  const verbs = contextOf(
    createContext(run, { id: "doubts", title: "doubts", checks: ["BATCH-20"] }),
  );
  const came = await send(verbs).then(
    (found) => [...new Set(found)].toSorted((one, other) => one - other).join(" "),
    (error: unknown) => (error as Error).message,
  );
  return [came, ...[...run.recorder.failing()].toSorted().map((id) => `${id} broken`)].join(", ");
}

test.for(cases)(
  "$doubt: $variant is judged right, and not without the doubt",
  { timeout: 60_000 },
  async (one) => {
    expect(await outcomeOf(one)).toMatch(/^(20[01] ?)+$/);
    takeOut(one.doubt);
    expect(await outcomeOf(one)).toContain(one.without);
  },
);
