import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../spec/json.ts";
import type { ReceivedResponse } from "../exchange.ts";
import type { Fields } from "../request.ts";
import { responseOf } from "../testing/exchanges.ts";
import {
  headerCredentials,
  issuedCredentials,
  namedCredentials,
  urlCredentials,
  withoutUserinfo,
  addIssued,
} from "./issued-credentials.ts";
import { createRedaction } from "./redaction.ts";

/** A response with this body, a text as it is and anything else as JSON. */
function answerOf(body: unknown, headers: Fields = [], status = 200): ReceivedResponse {
  return responseOf({
    status,
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function valuesOf(...response: Parameters<typeof answerOf>): readonly string[] {
  return issuedCredentials(answerOf(...response)).map(({ value }) => value);
}

const opaque = "q7Vw2Lk9ZrT4xN8bHs3J";

describe("what a success of the token endpoint issues is a secret", () => {
  test.each([
    ["a text alone", JSON.stringify(opaque)],
    ["the name of a member", { sessions: { [opaque]: { expires_in: 60 } } }],
    ["a sentence", { message: `Your token is "${opaque}".` }],
    ["JSON in JSON", { data: JSON.stringify({ jwt: opaque }) }],
  ])("in a body: %s", (_, body) => {
    expect(valuesOf(body)).toContain(opaque);
  });

  test("in cookies, in headers named like credentials, in an address", () => {
    const headers = [
      ["Set-Cookie", "sid=abcdef123456; Path=/; HttpOnly"],
      ["X-Auth-Token", "short1"],
      ["Authorization", `Bearer ${opaque}`],
      ["Location", "https://fx.test/in?session=4f5e6d7c8b#id_token=a1b2c3"],
    ] as const;
    expect(valuesOf({}, headers)).toEqual(
      expect.arrayContaining(["abcdef123456", "short1", opaque, "4f5e6d7c8b", "a1b2c3"]),
    );
  });

  test("a short or numeric one, if its name says it", () => {
    expect(valuesOf({ refresh_token: "abc", password: 4711, secretKey: "hush" })).toEqual(
      expect.arrayContaining(["abc", "4711", "hush"]),
    );
  });
});

test("what is plainly something else is none", () => {
  const body = {
    token_type: "Bearer",
    expires_in: 3600,
    issued_at: 1_700_000_000_000,
    expires_at: "2026-11-24T12:00:00Z",
    token_expires_at: "2026-11-24T12:00:00Z",
    scope: "read:batches write:batches counterparty-operations",
    status: "success",
    session: "active",
    message: "The request was understood, and a credential follows.",
    issuer: "https://login.example.test/realms/fx",
    user: "maria.souza@example.test",
    issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
    customer_id: "7d8e1f3a-5b9c-4e27-a6d0-c48b1f92e35d",
    nested: { authenticationMethod: "client_credentials", tokenCount: 12 },
  };
  const headers = [
    ["ETag", 'W/"686897696a7c876b7e"'],
    ["X-Request-Id", opaque],
    ["Date", "Tue, 24 Nov 2026 12:34:57 GMT"],
    ["WWW-Authenticate", 'Bearer realm="fx"'],
  ] as const;
  expect(valuesOf(body, headers)).toEqual([]);
});

test("a refusal issues nothing but what stands in its token", () => {
  expect(valuesOf({ token: "t", request: opaque }, [], 401)).toEqual(["t"]);
});

test("what the configuration says too is no secret", () => {
  const redaction = createRedaction(undefined, [], ["customer-4711-abcdef"]);
  addIssued(answerOf({ customer: "customer-4711-abcdef", access_token: opaque }), redaction);
  expect(redaction.redact(`customer-4711-abcdef ${opaque}`)).toBe(
    "customer-4711-abcdef [credential]",
  );
});

/** What is named like an id is one, and no secret. */
const nameOfNoId = fc.string().filter((name) => !/id$/i.test(name));

test("wherever a credential stands in a response of any shape, no text shows it", () => {
  const shape = fc.letrec<{ value: (secret: string) => unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constant((secret: string): unknown => secret),
      fc.constant((secret: string): unknown => `Bearer ${secret}`),
      fc
        .tuple(nameOfNoId, tie("value"))
        .map(([name, of]) => (secret: string) => ({ [name]: of(secret), n: 1 })),
      tie("value").map((of) => (secret: string) => ["x", of(secret)]),
    ),
  })).value;
  const secret = fc
    .stringMatching(/^[A-Za-z0-9_.~-]{16,60}$/)
    .filter((text) => /\d/.test(text) && /[A-Za-z]{2}/.test(text));
  fc.assert(
    fc.property(shape, secret, (of, value) => {
      const redaction = createRedaction();
      const response = answerOf(of(value));
      addIssued(response, redaction);
      expect(redaction.redact(Buffer.from(response.body).toString())).not.toContain(value);
    }),
  );
});

test("a body of many values is read within bounds", () => {
  const many = Array.from({ length: 100_000 }, (_, at) => [`${opaque}${at}`]);
  expect(issuedCredentials(answerOf(many)).length).toBeLessThanOrEqual(201);
});

test("of many values with the name of a credential, the first are taken, however they are nested", () => {
  const many = Array.from({ length: 30_000 }, (_, at) => ({
    [`x${at}`]: { token: `${opaque}${at}` },
  }));
  for (const body of [many, Object.assign({}, ...many)] as Json[]) {
    const named = namedCredentials(body);
    expect(named.length).toBeLessThan(5000);
    expect(named.slice(0, 2)).toEqual([`${opaque}0`, `${opaque}1`]);
  }
});

test("addresses: parameters by their names, and user and password", () => {
  expect(urlCredentials("https://a.test/x?page=2&api_key=a%20b")).toEqual(["a%20b", "a b"]);
  expect(headerCredentials("Referer", "https://a.test/?signature=s1&x=1")).toEqual(["s1", "s1"]);
  expect(withoutUserinfo("see https://u:p@a.test/ and http://a.test/@b")).toBe(
    "see https://[credentials]@a.test/ and http://a.test/@b",
  );
});
