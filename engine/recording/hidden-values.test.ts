import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { isCredentialName } from "../../model/evidence/issued-credentials.ts";
import { bundledContract } from "../../spec/bundle.ts";
import type { EntryInShort } from "./testing/har.ts";
import { judged } from "./testing/har.ts";

/** Everything that the report of a recording says. */
async function saidOf(...entries: readonly EntryInShort[]): Promise<string> {
  return JSON.stringify(await judged(entries));
}

/** A secret that has nothing in common with those of other places. */
function secretOf(name: string, place: number): string {
  return createHash("sha256").update(`${name} ${place}`).digest("base64url").slice(0, 20);
}

const refused = { status: 500, body: { message: "no" } } as const;

/** Names of credentials, of every shape: places in bodies and addresses show them in other ways. */
const register = "POST /customers/c/counterparty";

const shapes =
  "access_token api-key ASP.NET_SessionId _csrf SAMLResponse login[password] user.otp pin".split(
    " ",
  );

/** Other usual names of credentials. */
const names =
  "accessToken refresh_token id_token token auth_token authToken api_key apiKey apikey x-api-key client_secret clientSecret client_assertion assertion secret password passwd passphrase pwd user_pwd userPwd pass user_pass passcode otp otp_code totp pinCode card_pin sig signature hmac mac csrf csrf_token xsrf csrfmiddlewaretoken session session_id sessionId sid JSESSIONID PHPSESSID SAMLRequest RelayToken bearer jwt dpop credential credentials creds private_key subscription-key code_verifier mfa tan cvv ticket".split(
    " ",
  );

test("each of them is named like a credential", () => {
  expect([...names, ...shapes].filter((name) => !isCredentialName(name))).toEqual([]);
});

/** Exchanges with a secret of this name, each in another place. */
function places(name: string, secrets: readonly string[]): readonly EntryInShort[] {
  const [query, header, member, form, cutMember, answer, cutAnswer, address, callback] = secrets;
  const encoded = encodeURIComponent(name);
  const to = "POST /batches";
  return [
    { to: `GET /batches?${encoded}=${query}`, ...refused },
    { to, headers: { [`X-${name.replaceAll(/[^\w-]/g, "-")}`]: header ?? "" }, ...refused },
    { to, sent: { deep: [{ [name]: member }] }, ...refused },
    { to, sent: `a=1&${name}=${form}&b=2`, ...refused },
    { to, sent: `{"a":1,"${name}":"${cutMember}`, ...refused },
    { to, ...refused, body: { message: "no", data: { [name]: answer } } },
    { to, ...refused, body: `{"message":"no","${name}":"${cutAnswer}` },
    { to, headers: { "X-Original": `https://a.test/?${encoded}=${address}` }, ...refused },
    { to, sent: { callback: `https://a.test/in?x=1&${encoded}=${callback}` }, ...refused },
  ];
}

test.each(shapes)(
  "what is named %s is taken out of every place, and out of an echo",
  async (name) => {
    const secrets = Array.from({ length: 9 }, (_, place) => secretOf(name, place));
    const echo = { to: "GET /batches", status: 500, body: { message: secrets.join(" ") } };
    const said = await saidOf(...places(name, secrets), echo);
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  },
);

test("no member of the API and no usual header is named like a credential, but the token", async () => {
  const { components } = await bundledContract();
  const members = Object.values(components.schemas).flatMap(({ properties }) =>
    Object.keys(properties ?? {}),
  );
  const usual =
    "authority author keyword code message status error path timestamp trace_id title detail instance type pinned passport passed compass spinning shipping signal assignee macro machine otpional tanker".split(
      " ",
    );
  expect([...new Set([...members, ...usual])].filter(isCredentialName)).toEqual(["token"]);
});

/** Places in which a personal value may stand, in an exchange of which the report keeps the bodies. */
const personal: Readonly<Record<string, EntryInShort>> = {
  "a cut body": {
    to: register,
    sent: '{"currency":"USD","name":"Maria Souza',
    ...refused,
  },
  "a form": {
    to: register,
    sent: "currency=USD&name=Maria+Souza&x=1",
    ...refused,
  },
  "a query": { to: "GET /batches?name=Maria%20Souza", ...refused },
  "a text that comes back in capitals": {
    to: register,
    sent: { name: "Maria Souza" },
    status: 500,
    body: { message: "MARIA SOUZA is unknown, maria souza too" },
  },
  "JSON in JSON in JSON": {
    to: register,
    status: 500,
    body: { message: JSON.stringify({ echo: JSON.stringify({ name: 'Maria "M" Souza\\' }) }) },
  },
};

test.each(Object.entries(personal))("a name is masked in %s", async (_, entry) => {
  const said = await saidOf(entry);
  expect(said).not.toMatch(/souza/i);
});

test.each([
  `{"message":"cannot read \\"{${String.raw`\"name\":\"`}${String.raw`\u00e9`.repeat(14)}"}`,
  `"name":"${"\\".repeat(100_000)}`,
  `"name":"${String.raw`\u0041`.repeat(20_000)}`,
  '"name":'.repeat(20_000),
  "%5B".repeat(50_000),
])("a body ends the search soon, whatever it holds (%#)", async (body) => {
  // In quadratic time, this would not end within the limit of a test.
  const said = await saidOf(
    { to: register, sent: body, ...refused },
    { to: "POST /auth/token", body },
  );
  expect(said).toContain("POST /auth/token");
});
