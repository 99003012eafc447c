import { other } from "../../model/mistake.ts";
import { requirementIds, requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { rowOf } from "../../model/testing/rows.ts";
import { conclusionOf } from "../../model/conclusion/conclude.ts";
import type { GateRules } from "../../model/run-options.ts";
import { untestedBy, type RunEvidence } from "../../model/conclusion/outcome.ts";
import {
  formatVersion,
  type Finding,
  type RecordedExchange,
  type RequirementResult,
  type Run,
  type SkippedBy,
} from "../../model/run.ts";
import type { RunNetwork } from "../../model/network.ts";
import { createLatencies } from "../../model/evidence/counts.ts";
import type { OperationName } from "../../spec/operations.ts";

const origin = "https://fx.example:4010";

/**
 * Requirements with statements of their own, so that golden files do not change when the catalogue
 * is reworded.
 */
const statements: readonly (readonly [RequirementId, statement: string, source?: string])[] = [
  ["AUTH-01", "The token endpoint answers a valid API key with a token.", "Endpoints, 1"],
  ["AUTH-11", "The token endpoint compares API keys with regard to letter case."],
  ["AUTH-21", "POST /corporate/operation answers a made-up token with 401."],
  ["CPTY-01", "A registered counterparty is returned with its id, a string."],
  ["OPER-01", "A successful creation is answered with exactly 200."],
  ["OPER-02", "A new operation has the status pending_quote.", "Resources, Operation"],
  ["OPER-40", "An amount of zero is refused."],
  ["ACAM-03", "An ACAM item for an operation whose purpose is not EFX is refused."],
  ["BATCH-24", "A created batch appears in the list within the grace period."],
  ["HTTP-07", "The address that serves the API over HTTPS does not serve it over plain HTTP."],
];

const rows = statements.map(([id, statement, source = "Endpoints, 3"]): RequirementResult => {
  const { area, level } = requirementOf(id);
  return {
    id,
    area,
    level,
    statement,
    source,
    asked: 4,
    verdict: "pass",
    tookMs: 12.5,
    findings: [],
  };
});

function changed(
  changes: Partial<Record<RequirementId, Partial<RequirementResult>>>,
): readonly RequirementResult[] {
  return rows.map((each) => ({ ...each, ...changes[each.id] }));
}

function skipped(skippedBy: SkippedBy, reason: string): Partial<RequirementResult> {
  return {
    verdict: "skip",
    skippedBy,
    reason,
    asked: 0,
    tookMs: 0,
  };
}

function unjudged(reason: string): Partial<RequirementResult> {
  return {
    verdict: "inconclusive",
    reason,
    asked: 0,
  };
}

/**
 * A request: its operation, how long it took in milliseconds, and its status (0 for no response).
 */
export type TimingRow = readonly [operation: OperationName, took: number, status: number];

/** The latency of a run with these requests. */
export function timingOf(rows: readonly TimingRow[]): Pick<Run, "latency"> {
  const latencies = createLatencies();
  for (const [operation, took, status] of rows) if (status !== 0) latencies.add(operation, took);
  return { latency: latencies.all() };
}

const sent = [
  ["createToken", 18.4, 200],
  ["listBatches", 9.1, 200],
  ["createCounterparty", 14.2, 201],
  ["createCounterparty", 15.9, 201],
  ["createOperation", 21.7, 200],
  ["createOperation", 24.3, 200],
  ["createOperation", 240.6, 503],
  ["addAcamItem", 12.8, 200],
  ["createBatch", 11.3, 201],
  ["listBatches", 10.2, 200],
  ["createOperation", 1000, 0],
  ["createToken", 6.6, 401],
] as const satisfies readonly TimingRow[];

/** A response that breaks OPER-02. */
export const exchange = {
  id: 6,
  operation: "createOperation",
  scenario: "OPER-02",
  violates: ["OPER-02"],
  intent: "valid",
  startedAt: "2026-03-01T09:00:00.049Z",
  at: 49,
  waited: 20.1,
  took: 21.7,
  request: {
    method: "POST",
    url: `${origin}/corporate/operation`,
    headers: [
      ["authorization", "Bearer <token>"],
      ["content-type", "application/json"],
    ],
    body: '{"currency_amount":10.5,"operation_purpose":"EFX","currency_pair":"USDBRL","counterparty_id":"cp_1"}',
    bodyBytes: 101,
  },
  response: {
    status: 200,
    statusText: "OK",
    headers: [
      ["content-type", "application/json"],
      ["x-request-id", "req-8842"],
    ],
    body: '{"operation_id":"op_1","status":"created","batch_id":null,"foreign_currency_amount":10.5}',
    bodyBytes: 88,
  },
  serverIds: ["req-8842"],
} as const satisfies RecordedExchange;

/** A request without a response. */
export const unanswered: RecordedExchange = {
  id: 11,
  operation: "createOperation",
  scenario: "OPER-40",
  violates: [],
  intent: "invalid: currency_amount of zero",
  startedAt: "2026-03-01T09:00:00.300Z",
  at: 300,
  waited: 0,
  took: 1000,
  request: {
    method: "POST",
    url: `${origin}/corporate/operation`,
    headers: [],
    body: "{}",
    bodyBytes: 2,
  },
  error: "no response within 1 s",
};

const curl =
  `curl -X POST ${origin}/corporate/operation -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' ` +
  `-d '{"currency_amount":10.5,"operation_purpose":"EFX","currency_pair":"USDBRL","counterparty_id":"cp_1"}'`;

const throughProxy: RunNetwork = {
  way: "proxy",
  proxy: { url: "http://proxy.example:3128", from: "HTTPS_PROXY" },
};

const token = { operation: "createToken", kind: "valid" } as const;

const finding: Finding = {
  message: "the status of a new operation differs",
  expected: '"pending_quote"',
  actual: '"created"',
  mistake: other("createOperation", "pending", "created"),
  pointer: "/status",
  exchange: 6,
  operation: "createOperation",
  replay: "npx fxconform replay fxconform-report/report.json --only OPER-02",
  curl,
  occurrences: 14,
};

const facts: Omit<
  Run,
  Exclude<keyof ReturnType<typeof conclusionOf>, "requirements" | "warnings">
> = {
  formatVersion,
  tool: { name: "fxconform", version: "0.1.0" },
  specification: { version: "beta" },
  runId: "r-7f3a",
  target: { baseUrl: origin, network: { way: "direct" } },
  profile: "full",
  seed: 1147,
  runs: 25,
  startedAt: "2026-03-01T09:00:00.000Z",
  durationMs: 1316.6,
  requests: 12,
  sent: [
    { ...token, count: 1 },
    { operation: "createToken", kind: "bad credentials", count: 1 },
    { operation: "createCounterparty", kind: "valid", count: 2 },
    { operation: "createOperation", kind: "valid", count: 3 },
    { operation: "createOperation", kind: "invalid", count: 1 },
    { operation: "addAcamItem", kind: "valid", count: 1 },
    { operation: "createBatch", kind: "valid", count: 1 },
    { operation: "listBatches", kind: "valid", count: 2 },
  ],
  badCredentials: 1,
  peakInFlight: 4,
  requirements: rows,
  observations: [
    {
      id: "OPEN-08",
      question: "With which status does the registration succeed?",
      answers: [{ case: "any", answer: "201", count: 2 }],
    },
    {
      id: "OPEN-16",
      question: "What do count and total count?",
      answers: [
        { case: "count", answer: "equals the number shown", count: 2 },
        { case: "total", answer: "above the number shown", count: 1 },
      ],
    },
    { id: "OPEN-25", question: "Does a 401 carry WWW-Authenticate?", answers: [] },
  ],
  ...timingOf(sent),
  statuses: [
    { operation: "createToken", status: 200, count: 1 },
    { operation: "createToken", status: 401, count: 1 },
    { operation: "createOperation", status: 200, count: 2 },
    { operation: "createOperation", status: 503, count: 1 },
  ],
  coverage: [
    {
      of: "payees",
      groups: [
        ["region", "account", "address"],
        ["region", "bank_country"],
      ],
      pairs: { covered: 61, of: 66 },
      triples: { covered: 31, of: 40 },
      missing: [
        { with: "account IBAN", pairs: 4, status: 422 },
        { with: "bank_country CN", pairs: 1 },
      ],
    },
  ],
  exchanges: [unanswered],
  created: [
    { kind: "counterparty", id: "cp_1" },
    { kind: "operation", id: "op_1" },
  ],
  createdCounts: { counterparty: 1, operation: 1 },
  withheld: [],
  warnings: [],
};

/**
 * Makes a run whose outcome, gate and causes follow from its requirements, so that no part of the
 * run contradicts another.
 */
export function concluded(
  more: Partial<Run>,
  evidence: Partial<RunEvidence> = {},
  rules: Partial<GateRules> = {},
): Run {
  const run = { ...facts, ...more };
  const conclusion = conclusionOf({ ...run, interrupted: false, ...evidence }, run.observations, {
    strict: false,
    statement: [],
    baseline: [],
    today: "2026-03-01",
    ...rules,
  });
  return { ...run, ...conclusion, warnings: run.warnings };
}

const unreachable =
  "https://fx.example:4010 did not answer within 10 s (ECONNREFUSED). Is the server running?";

/** Requirements of which one has no verdict, one was left out, and three are broken. */
const faulty: Partial<Run> = {
  requirements: changed({
    "AUTH-11": {
      verdict: "warn",
      findings: [
        {
          message: "a key in other letter case was accepted",
          expected: "a status from 400 to 499",
          actual: "200",
          mistake: other("createToken", "400 to 499", "200"),
          operation: "createToken",
          replay: "npx fxconform replay fxconform-report/report.json --only AUTH-11",
          curl: `curl -X POST ${origin}/auth/token -H "x-api-key: $API_KEY"`,
        },
      ],
    },
    "OPER-02": {
      verdict: "fail",
      asked: 31,
      findings: [
        finding,
        {
          ...finding,
          message: "the status is absent",
          actual: "nothing",
          repeated: "2 of 3",
        },
      ],
    },
    "OPER-40": unjudged("No response within 1 s to 2 of 2 requests."),
    "ACAM-03": {
      verdict: "fail",
      findings: [
        {
          ...finding,
          message: "an item for an operation with the purpose IMPORT was accepted",
          expected: "a status from 400 to 499",
          actual: "200",
          mistake: other("addAcamItem", "refused", "accepted"),
          pointer: "",
          operation: "addAcamItem",
          replay: "npx fxconform replay fxconform-report/report.json --only ACAM-03",
          occurrences: 1,
        },
      ],
    },
    "HTTP-07": skipped("selection", "left out by --only or --exclude"),
  }),
  selection: { exclude: ["HTTP-07"] },
  exchanges: [exchange, unanswered],
  tokenCommand: `TOKEN=$(curl -s -X POST ${origin}/auth/token -H "x-api-key: $API_KEY" | jq -r .token)`,
  warnings: ["The API key has fewer than 8 characters; it is not searched for inside longer text."],
  withheld: ["12 exchanges beyond the first 200"],
};

/** A run for each outcome. */
export const runs = {
  conformant: concluded({}),
  nonconformant: concluded(faulty),
  partial: concluded({
    profile: "smoke",
    target: { baseUrl: origin, network: throughProxy },
    requirements: rows.map((each) =>
      each.area === "auth" || each.area === "transport"
        ? each
        : {
            ...each,
            ...skipped("profile", "left out by the profile smoke, which creates nothing"),
          },
    ),
    created: [],
  }),
  inconclusive: concluded(
    {
      requests: 1,
      badCredentials: 0,
      peakInFlight: 1,
      sent: [{ ...token, count: 1 }],
      requirements: rows.map((each) => ({ ...each, ...unjudged(unreachable), tookMs: 0 })),
      observations: [],
      ...timingOf([]),
      exchanges: [],
      created: [],
      createdCounts: {},
    },
    { untested: untestedBy(unreachable, []) ?? "" },
  ),
  interrupted: concluded(
    {
      durationMs: 310,
      requirements: changed({
        "ACAM-03": unjudged("the run was interrupted"),
        "BATCH-24": unjudged("the run was interrupted"),
      }),
      ...timingOf(sent.slice(0, 7)),
    },
    { interrupted: true },
  ),
  error: concluded(
    {
      requirements: changed({ "BATCH-24": unjudged("fxconform failed before this had a verdict") }),
    },
    { error: "3 of 90 scenarios that should have run did not" },
  ),
} as const satisfies Record<Run["outcome"], Run>;

const knownItem = {
  requirement: "ACAM-03",
  reason: "rolled out in April",
  expires: "2026-04-30",
} as const;

/** A run with something in every place of a report. One of its failures is in the baseline. */
export const fullRun = concluded(
  {
    ...faulty,
    target: { baseUrl: origin, network: throughProxy, headers: ["x-gateway-key"] },
    certificate: {
      subject: "fx.example",
      issuer: "FX CA",
      expires: "2026-06-01T00:00:00.000Z",
      protocol: "TLSv1.3",
    },
    client: [
      { operation: "createBatch", text: "without a token", count: 3, example: "a.har, entry 2" },
    ],
  },
  {},
  { baseline: [knownItem] },
);

/** A run whose failures are all in the baseline. */
export const toleratedRun = concluded(
  faulty,
  {},
  {
    baseline: [
      {
        requirement: "OPER-02",
        reason: "quotes come at night, ticket FX-12",
        expires: "2026-03-10",
      },
      knownItem,
    ],
  },
);

/** A run with the same number of findings for every requirement, in all at least `count`. */
export function largeRun(count: number): Run {
  const each = Math.ceil(count / requirementIds.length);
  const requirements = requirementIds.map((id): RequirementResult => {
    const findings = Array.from({ length: each }, (_, index) => ({
      ...finding,
      message: `${id} is broken, sample ${index}`,
      mistake: other("createOperation", id, "created"),
    }));
    const row = rowOf(id, "fail", { findings });
    return row.level === "MUST" ? row : { ...row, verdict: "warn" };
  });
  const body = `{"status":"${"long text ".repeat(1600)}"}`;
  const exchanges = Array.from({ length: 600 }, (_, id) => ({
    ...exchange,
    id,
    response: { ...exchange.response, body },
  }));
  return concluded({ requirements, exchanges });
}
