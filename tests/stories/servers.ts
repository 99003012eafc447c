import { setTimeout } from "node:timers/promises";
import {
  all,
  answers,
  around,
  instead,
  problem,
  remembering,
  rename,
  repeated,
  sent,
  success,
} from "../../reference/change.ts";
import { isJson } from "../../reference/change.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Answer, Call, Change } from "../../reference/policy.ts";

/** The name of a server that is wrong in many responses. */
export type WrongServer = keyof typeof servers;

function ofEvery(change: (value: unknown, name: string) => unknown): (body: unknown) => unknown {
  const within = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => within(one, name));
    if (!isJson(value)) return change(value, name);
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [inner, within(one, inner)]),
    );
  };
  return (body) => within(body, "");
}

function inEverySuccess(change: (body: unknown) => unknown): Change {
  return answers(
    ({ status, body }) => status < 300 && body !== undefined,
    (answer) => ({ ...answer, body: change(answer.body) }),
  );
}

const isId = (name: string): boolean => name === "id" || name.endsWith("_id");

const numericIds: Change = all(
  () => {
    let last = 0;
    return {
      newId: () => {
        last += 1;
        return String(last);
      },
    };
  },
  inEverySuccess(
    ofEvery((value, name) =>
      isId(name) && typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
    ),
  ),
);

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      camelCased(inner),
    ]),
  );
}

const page: Answer = {
  status: 404,
  headers: { "content-type": "text/html" },
  text: "<!doctype html><title>404 Not Found</title><h1>Not Found</h1>",
};

const roundedAmounts: Change = success("createOperation", (body) => ({
  ...body,
  foreign_currency_amount: Math.round(Number(body["foreign_currency_amount"]) * 10) / 10,
}));

/**
 * An amount is wrong if the server handles another operation at the same time. Each operation takes
 * a while.
 */
const amountsMixTogether: Change = remembering(() => {
  let handled = 0;
  let crowds = 0;
  return around(async (call, next) => {
    if (call.path !== "/corporate/operation") return next(call);
    handled += 1;
    if (handled > 1) crowds += 1;
    const before = crowds;
    const wasAlone = handled === 1;
    await setTimeout(150);
    const answer = await next(call);
    handled -= 1;
    const isAlone = wasAlone && crowds === before;
    if (isAlone || !isJson(answer.body) || answer.status !== 200) return answer;
    const amount = 2 * Number(answer.body["foreign_currency_amount"]) + 1000;
    return { ...answer, body: { ...answer.body, foreign_currency_amount: amount } };
  });
});

const internalError: Answer = {
  status: 500,
  headers: {},
  body: { message: "Internal server error" },
};

/** The value that a request has as its body. Undefined if it is not JSON. */
function bodyOf({ bytes }: Call): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** A line of code that calls a method of a member without a check of its type. */
function unchecked(operation: OperationName, member: string, type: "string" | "number"): Change {
  return crashes((call) => {
    const body = bodyOf(call);
    return isJson(body) && typeof body[member] !== type;
  }, operation);
}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some(holdsNull);
}

/** A statement for a database in which an apostrophe of a text stands as it is. */
const apostropheCrash: Change = crashes(({ bytes }) => bytes.includes("'"));

/** Operations keep an amount with two decimals, and show it from then on. */
const amountsKeptRounded: Change = answers(
  ({ status }, { operation }) => operation === "createOperation" && status === 200,
  (answer, { store }) => {
    const body = isJson(answer.body) ? answer.body : {};
    const amount = Math.floor(Number(body["foreign_currency_amount"]));
    const id = String(body["operation_id"]);
    const made = store.operations.get(id);
    if (made !== undefined) store.operations.set(id, { ...made, amount });
    return { ...answer, body: { ...body, foreign_currency_amount: amount } };
  },
);

function codeIn(body: unknown, bank: string): string {
  const held = isJson(body) ? body[bank] : undefined;
  const code = isJson(held) ? held["swift_code"] : undefined;
  return typeof code === "string" ? code : "";
}

/** The wrong servers, by the words for what is wrong with them. */
export const servers = {
  "the token has another name": success("createToken", rename("token", "access_token")),
  "ids are numbers": numericIds,
  "every token is accepted": () => ({ tokenIn: () => "any", admitsToken: () => true }),
  "members are in camel case": inEverySuccess(camelCased),
  "another base path": instead(() => true, page),
  "the key is refused": () => ({ admitsKey: () => false }),
  "a list at the top": around(async (call, next) => {
    const answer = await next(call);
    const list = isJson(answer.body) ? answer.body["batches"] : undefined;
    return call.operation === "listBatches" && Array.isArray(list)
      ? { ...answer, body: list }
      : answer;
  }),
  "amounts are rounded": roundedAmounts,
  "amounts are wrong while another is handled": amountsMixTogether,
  "a crash on quotes": instead(({ bytes }) => /\\\\"|'/.test(bytes.toString()), internalError),
  "a crash on any null": crashes((call) => holdsNull(bodyOf(call))),
  "an apostrophe, and a name that is not checked": all(
    apostropheCrash,
    unchecked("createCounterparty", "name", "string"),
  ),
  "amounts are kept rounded": amountsKeptRounded,
  "a column of 11 characters": crashes((call) =>
    ["bank_account", "intermediary_bank"].some((bank) => codeIn(bodyOf(call), bank).length > 11),
  ),
  "an amount of 15 digits": crashes(
    (call) => Number(sent(call)["currency_amount"]) >= 1e13,
    "createOperation",
  ),
  "an apostrophe in a name": crashes((call) => String(sent(call)["name"]).includes("'")),
  "a body that is not checked": crashes(
    (call) =>
      /^\s*(null)?\s*$/.test(call.bytes.toString()) &&
      call.method === "POST" &&
      call.operation !== "createToken",
  ),
  "a unique external id": repeated(
    ({ status }, call) => call.operation === "createCounterparty" && status < 300,
    (call) => sent(call)["external_id"] ?? Symbol("none"),
    () => internalError,
  ),
  "everything fails": remembering(() => {
    let requests = 0;
    return instead(() => {
      requests += 1;
      return requests >= 300;
    }, internalError);
  }),
  "a firewall": instead(({ bytes }) => /<script|--/.test(bytes.toString()), {
    ...page,
    status: 200,
  }),
} as const satisfies Record<string, Change>;

/**
 * Answers 500 to the requests that `when` selects, at one endpoint or at all, unless their key or
 * token is bad.
 */
function crashes(when: (call: Call) => boolean, operation?: OperationName): Change {
  return answers(
    ({ refusal }, call) =>
      (operation === undefined || call.operation === operation) &&
      refusal !== "token" &&
      refusal !== "key" &&
      when(call),
    () => problem(500, "Internal server error"),
  );
}
