import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createExemptions } from "../harness/judging/rules/exemptions.ts";
import { judgeExchange, lineOf, nothingKnown } from "../harness/testing/judgements.ts";
import { wordsBefore } from "../model/mistake.ts";
import { invalid, valid } from "../model/request.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Json } from "../spec/json.ts";
import { account, bank, exchangeOf } from "../model/testing/exchanges.ts";
import type { Call, Change } from "../reference/policy.ts";
import { access, clientOf } from "../reference/testing/client.ts";
import { faults, variants } from "../reference/deviations/index.ts";
import {
  requirementIds,
  requirementOf,
  standingOperations,
  type RequirementId,
} from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";

const german = { ...account, iban: "DE89370400440532013000" };
const address = { address: "Rua A", country: "DE", city: "Köln" };
const counterparties: readonly Json[] = [
  {
    name: 'Zoë "Z"',
    counterparty_address: address,
    bank_account: german,
    intermediary_bank: bank,
    external_id: "E-1",
  },
  { name: "Bob", bank_account: { ...account, aba_routing_number: "021000021" } },
];
const terms = [
  { currency_amount: 950.57, operation_purpose: "EFX", currency_pair: "USDBRL" },
  { currency_amount: 100.25, operation_purpose: "IMPORT", currency_pair: "EURBRL" },
  { currency_amount: 33.123456, operation_purpose: "EFX", currency_pair: "USDBRL" },
];
const item = { local_currency_amount: 10, tax_id: "52998224725", merchant: "Café" };
const bad = invalid("with something wrong");

// Of two requests in one millisecond, the times would be equal by chance.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** The exchanges of a fixed sequence of requests with a server that has this change. */
async function exchangesWith(change: Change): Promise<readonly Exchange[]> {
  vi.setSystemTime("2026-01-02T03:04:05.006Z");
  const exchanges: Exchange[] = [];
  const exemptions = createExemptions();
  const request = clientOf(change);
  const send = async (
    operation: OperationName,
    headers: Readonly<Record<string, string>>,
    { intent, ...what }: Pick<Exchange, "intent"> & { body?: Json; id?: string },
  ): Promise<Call> => {
    vi.setSystemTime(Date.now() + 2);
    const { call, url, response } = await request(operation, headers, what);
    if (response === undefined) return call;
    const order = { id: exchanges.length + 1, at: exchanges.length * 100 };
    const sent = { intent, path: url, sent: what.body };
    const received = {
      status: response.status,
      headers: Object.entries(response.headers),
      body: response.bytes,
    };
    const exchange = exchangeOf(operation, { ...order, ...sent, ...received, type: null });
    // The sequence has only bad requests whose refusal the specification states.
    const candidate = { ...exchange, path: [], statesRefusal: intent.kind === "invalid" };
    exchanges.push({ ...exchange, exemptBy: exemptions.of(candidate) });
    exemptions.learn(candidate);
    return call;
  };

  await send("createToken", { "x-api-key": "made-up" }, { intent: bad });
  const { store } = await send("createToken", { "x-api-key": access.apiKey }, { intent: valid });
  const good = { authorization: `Bearer ${[...store.tokens.keys()].at(-1)}` };
  const succeed = (operation: OperationName, body?: Json, id?: string) =>
    send(operation, good, { intent: valid, body, id });
  const fail = (operation: OperationName, body: Json, id = "unknown") =>
    send(operation, good, { intent: bad, body, ...(operation === "addAcamItem" && { id }) });

  await succeed("listBatches");
  for (const body of counterparties) await succeed("createCounterparty", body);
  for (const [at, counterparty_id] of [...store.counterparties.keys()].entries())
    for (const one of terms.slice(at))
      await succeed("createOperation", { ...one, counterparty_id });
  for (const { id, purpose } of store.operations.values())
    await (purpose === "EFX" ? succeed("addAcamItem", item, id) : fail("addAcamItem", item, id));
  for (const currency_pair of ["USDBRL", "EURBRL"]) await succeed("createBatch", { currency_pair });
  await succeed("listBatches");

  await fail("addAcamItem", item);
  for (const operation of [
    "createCounterparty",
    "createOperation",
    "addAcamItem",
    "createBatch",
  ] as const) {
    await fail(operation, {}, [...store.operations.keys()][0]);
    await fail(operation, "{");
    await send(operation, {}, { intent: bad });
  }
  await send("listBatches", {}, { intent: bad });
  return exchanges;
}

/** The violations that rules on single exchanges find in the sequence. */
async function violationsWith(change: Change) {
  const ruleContext = nothingKnown();
  const judgements = (await exchangesWith(change)).flatMap((exchange) =>
    judgeExchange(exchange, ruleContext),
  );
  return judgements.flatMap(({ requirement, violation }) =>
    violation === undefined ? [] : [{ requirement, violation }],
  );
}

/** The requirements that they find broken. */
async function blamedWith(change: Change): Promise<readonly RequirementId[]> {
  return idsOf(await violationsWith(change));
}

function idsOf(found: Awaited<ReturnType<typeof violationsWith>>): readonly RequirementId[] {
  return [...new Set(found.map(({ requirement }) => requirement))];
}

/** What reports say of violations: each mistake once, without what is new in each run. */
function reported(found: Awaited<ReturnType<typeof violationsWith>>): string {
  const lines = found.map((one) => {
    const { message, mistake } = one.violation;
    const words = `${mistake.kind} of ${mistake.of}: ${mistake.actual}`;
    // Without hyphens: of these requirements a line shows no finding.
    const kin = mistake.kin?.join(" ").replaceAll("-", "") ?? "";
    const line = `${lineOf(one)} | ${words} | ${kin}`
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "<id>")
      .replaceAll(/near "[0-9a-f]{8}/g, 'near "<id>')
      .replaceAll(/[\w-]{32,}/g, "<token>")
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+/g, "<time>");
    return [`${one.requirement} ${message} ${words}`, line] as const;
  });
  const inOrder = lines.toSorted(([, one], [, other]) => (one < other ? -1 : 1));
  return [...new Map(inOrder).values()].toSorted().join("\n");
}

test("the rules on single exchanges blame nothing on a server that obeys", async () => {
  expect(await blamedWith(() => ({}))).toEqual([]);
});

test("the rules on single exchanges blame no MUST on a variant", { timeout: 120_000 }, async () => {
  // A run sends more slowly to servers that count requests per second. Here, such servers would
  // refuse most requests.
  const unhurried = variants.filter(({ needs }) => needs?.slow !== true);
  const results = await Promise.all(
    unhurried.map(async ({ id, change }) => ({ id, blamed: await blamedWith(change) })),
  );
  const isMust = (id: RequirementId): boolean => requirementOf(id).level === "MUST";
  expect(results.filter(({ blamed }) => blamed.some(isMust))).toEqual([]);
});

test(
  "the rules on single exchanges blame a fault on what it breaks and on nothing else, in words that a baseline knows",
  { timeout: 120_000 },
  async () => {
    const results = await Promise.all(
      faults.map(async (fault) => {
        const found = await violationsWith(fault.change);
        return { ...fault, found, blamed: idsOf(found) };
      }),
    );
    const wrong = results.flatMap(({ id, breaks, also = [], blamed }) => {
      const besides = blamed.filter((requirement) => ![breaks, ...also].includes(requirement));
      return besides.length === 0
        ? []
        : [`${id} breaks ${[breaks, ...also].join(", ")}, and not ${besides.join(", ")}`];
    });
    expect(wrong).toEqual([]);
    // Baselines that version 0.1.0 wrote have these words: a line that changes breaks them.
    const words = results.flatMap(({ found }) =>
      found.map(({ requirement, violation }) => {
        const { expected, actual } = wordsBefore(violation);
        return `${requirement} | ${expected} | ${actual}`;
      }),
    );
    await expect([...new Set(words)].toSorted().join("\n")).toMatchFileSnapshot(
      "baseline-words.txt",
    );
    // Whether the others show may hang on the time of day, and on how busy the machine is.
    const always = results.filter(({ when }) => when === undefined);
    await expect(reported(always.flatMap(({ found }) => found))).toMatchFileSnapshot(
      "judgements.golden",
    );
    // Sending judges the two others.
    const all = new Set<RequirementId>(results.flatMap(({ blamed }) => blamed));
    const standing = requirementIds.filter((id) => standingOperations(id).length > 0);
    expect(standing.filter((id) => !all.has(id))).toEqual(["AUTH-04", "HTTP-05"]);
  },
);
