import { expect, test } from "vitest";
import { createWitness } from "../evidence/evidence.ts";
import type { RequestFacts } from "../request-facts.ts";
import type { Mistake } from "../run.ts";
import { causesFrom, findingOf, rowOf } from "../testing/rows.ts";

/** A number of requests of a kind, and how many of them crash the server. */
interface Sent extends Partial<RequestFacts> {
  readonly crashed: number;
  readonly of: number;
}

/** The texts of the causes that crashes on these requests have. */
function storyOf(...kinds: readonly Sent[]): readonly string[] {
  const witness = createWitness();
  let id = 0;
  const findings = kinds.flatMap(({ crashed, of, ...facts }) => {
    const input = facts.input ?? facts.change ?? "";
    const mistake: Mistake = { kind: "crash", of: input, expected: "", actual: "500" };
    const finding = findingOf({ mistake, operation: "createBatch", intent: "invalid" });
    for (let nth = 0; nth < of; nth += 1) {
      id += 1;
      const exception = nth < crashed ? facts.exception : undefined;
      const sent = { operation: "createBatch", at: id, took: 1, status: 500 } as const;
      witness.request({ id, ...sent, ...facts, exception });
      witness.judged(id, ["HTTP-04"]);
      if (nth < crashed) witness.shows(id, mistake);
    }
    return crashed > 0 ? [finding] : [];
  });
  const rows = [rowOf("HTTP-04", "fail", { findings })];
  return causesFrom(rows, witness).map(({ text }) => text);
}

const comesBack = { comesBack: true };
const passed = { trial: { comesBack: false } };
const noJson = {
  kind: "invalid" as const,
  traits: ["with malformed JSON or none", "that break a rule"],
};
const cut = { ...noJson, change: "whose body is cut" } as const;
const empty = { ...noJson, change: "whose body is white space" } as const;
const absent = { kind: "invalid", input: "with a member left out" } as const;
const noScheme = "whose Authorization header has no scheme and token";
const fine = { crashed: 0, of: 40 };

test.each<[string, readonly Sent[], readonly string[]]>([
  [
    "an Authorization header without two parts",
    [
      { traits: [noScheme], change: "without a token", crashed: 2, of: 2 },
      { traits: [noScheme], change: "with Bearer alone", crashed: 2, of: 3 },
      { change: "with a made-up token", ...fine },
    ],
    ["on requests whose Authorization header has no scheme and token: 4 of 5 requests"],
  ],
  [
    "a change that shares a request with another",
    [
      { change: "with a and b", parts: ["with a", "with b"], crashed: 2, of: 2 },
      { change: "with a", crashed: 1, of: 1 },
      { change: "with b", ...fine },
    ],
    ["on requests with a: 3 of 3 requests"],
  ],
  [
    "bodies that are no JSON",
    [
      { ...cut, crashed: 2, of: 2 },
      { ...empty, crashed: 1, of: 1 },
      { ...absent, ...fine },
    ],
    ["on requests with malformed JSON or none: 3 of 3 requests"],
  ],
  [
    "nothing but chance, beside one that always crashes",
    [
      { ...absent, ...passed, crashed: 2, of: 20 },
      { ...cut, trial: comesBack, crashed: 5, of: 5 },
      { ...passed, crashed: 9, of: 90 },
    ],
    ["now and then: 11 of 115 requests", "on requests whose body is cut: 5 of 5 requests"],
  ],
  [
    "nothing but chance, which one of them had twice",
    [
      { ...absent, ...passed, crashed: 2, of: 20 },
      { ...cut, trial: comesBack, crashed: 2, of: 2 },
      { ...passed, crashed: 9, of: 90 },
    ],
    ["now and then: 13 of 112 requests"],
  ],
  [
    "nothing but chance, which several of a kind had twice",
    [
      { ...cut, trial: comesBack, crashed: 3, of: 6 },
      { ...passed, crashed: 9, of: 90 },
    ],
    ["now and then: 12 of 96 requests"],
  ],
  [
    "a member, whatever is wrong with it",
    [
      { ...absent, change: "without /a", crashed: 2, of: 2 },
      { ...absent, change: "without /b", crashed: 0, of: 9 },
      { ...empty, input: "with null for a member", change: "null at /a", crashed: 2, of: 2 },
      { ...empty, input: "with null for a member", change: "null at /b", crashed: 0, of: 9 },
    ],
    ["on requests with a missing or wrong /a: 4 of 4 requests"],
  ],
  [
    "a member whose texts are odd, whatever is odd about them",
    [
      {
        ...{ change: "with a quote in /a", places: ["/a"], texts: { "/a": 5 } },
        ...{ trial: { comesBack: true, place: "/a" }, crashed: 1, of: 1 },
      },
      { change: "with a quote in /b", places: ["/b"], texts: { "/a": 5, "/b": 5 }, ...fine },
      { change: "with 5", places: ["/a"], texts: { "/a": 5 }, crashed: 1, of: 1 },
    ],
    ["on requests with some values at /a: 2 of 2 requests"],
  ],
  [
    "a place where one value was enough in a trial",
    [
      {
        ...{ change: "with a, b", places: ["/a", "/b"], trial: { comesBack: true, place: "/a" } },
        ...{ crashed: 1, of: 1 },
      },
      { change: "with a, c", places: ["/a", "/c"], crashed: 1, of: 1 },
      { change: "with d", places: ["/a"], crashed: 0, of: 9 },
    ],
    ["on requests with some values at /a: 2 of 11 requests"],
  ],
  [
    "an amount without decimals, in valid requests and others",
    [
      { amount: 7, crashed: 4, of: 4 },
      { amount: 7.5, crashed: 0, of: 9 },
      { change: "with 2^31", amount: 2 ** 31, crashed: 1, of: 1 },
    ],
    ["on requests with a whole amount: 5 of 5 requests"],
  ],
  [
    "a quote in any member",
    [
      {
        ...{ change: "with a quote in /a", marks: { "a quote": ["/a"] } },
        ...{ trial: { comesBack: true, place: "/a", mark: "a quote", isAnywhere: true } },
        ...{ crashed: 1, of: 1 },
      },
      { change: "with a quote in /b", marks: { "a quote": ["/b"] }, crashed: 1, of: 1 },
      fine,
    ],
    ["on requests with a quote in a text, in any member: 2 of 2 requests"],
  ],
  [
    "valid requests, and others of which nothing is shown",
    [
      { trial: comesBack, crashed: 2, of: 2 },
      { ...cut, trial: comesBack, crashed: 2, of: 2 },
    ],
    [": 4 of 4 requests"],
  ],
  [
    "the moment since which nothing is answered",
    [fine, { kind: "valid", crashed: 20, of: 20 }, { change: "with b", crashed: 19, of: 20 }],
    ["on requests of any kind since request 41: 39 of 41 requests"],
  ],
])("crashes that share %s are one mistake", (_, kinds, texts) => {
  expect(storyOf(...kinds)).toEqual(
    texts.map((text) => `The server crashes (500) ${text}`.replace(" :", ":")),
  );
});

test("a body without members says nothing of a member that another endpoint has", () => {
  const member = { change: "with null at /merchant", operation: "addAcamItem" } as const;
  const bare = { change: "without members, for Accept: */*" };
  expect(storyOf({ ...member, crashed: 1, of: 1 }, { ...bare, crashed: 2, of: 2 }, fine)).toEqual([
    expect.stringContaining("with null at /merchant"),
    expect.stringContaining("without members"),
  ]);
});

test("crashes after a long wait beside other requests are a mistake of requests in flight together", () => {
  const waited = { change: "with a", took: 1500, ...passed, crashed: 3, of: 3 };
  const apart = [-9, 9000].map((at) => ({ ...fine, operation: "listBatches", at }) as const);
  expect(storyOf(...apart, { ...fine, of: 4 }, waited)).toEqual([
    expect.stringContaining(
      "fail (500) after about 1.5 s, most often POST /batches beside POST /batches; alone",
    ),
  ]);
});
