import { Agent } from "node:http";
import { account, sendOnce } from "./client.ts";
import type { Received } from "./client.ts";

/** Where a server is, and what it accepts. */
export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly customerId: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Sends a server many requests, valid and invalid, and records its responses in order. Ids, tokens and times are
 * replaced by their place of first appearance, so that two servers that behave alike have equal transcripts. Waits
 * `timeout` milliseconds for each response.
 */
export async function transcriptOf(
  { baseUrl, apiKey, customerId }: Access,
  timeout = 5_000,
): Promise<readonly string[]> {
  const agent = new Agent({ keepAlive: true });
  const lines: string[] = [];

  const record = async (what: string, method: string, path: string, body?: unknown, headers: Headers = {}) => {
    const content =
      body === undefined || Buffer.isBuffer(body) || typeof body === "string" ? body : JSON.stringify(body);
    const place = lines.push("") - 1;
    const sent = { ...(content === undefined ? {} : { "content-type": "application/json" }), ...headers };
    const answer = await sendOnce(baseUrl + path, method, content, sent, timeout, agent).catch(() => undefined);
    lines[place] = `${what}: ${answer ? textOf(answer) : "no answer"}`;
    return answer?.body ?? {};
  };

  const key = { "x-api-key": apiKey };
  const token = String((await record("token", "POST", "/auth/token", undefined, key))["token"]);
  await record("token with type", "POST", "/auth/token", undefined, { ...key, "content-type": "application/json" });
  const latest = String((await record("token with body", "POST", "/auth/token", {}, key))["token"]);
  for (const bearer of [token, latest])
    await record("list", "GET", "/batches", undefined, { authorization: `Bearer ${bearer}` });

  const authorization = `Bearer ${token}`;
  const post = (what: string, path: string, body: unknown, headers: Headers = { authorization }) =>
    record(what, "POST", path, body, headers);
  const register = (what: string, body: unknown) => post(what, `/customers/${customerId}/counterparty`, body);
  const operate = (what: string, body: unknown) => post(what, "/corporate/operation", body);
  const attach = (what: string, id: unknown, body: unknown) =>
    post(what, `/corporate/operation/${encodeURIComponent(String(id))}/acam`, body);

  const { iban: _iban, ...american } = { ...account, swift_code: "CHASUS33", aba_routing_number: "021000021" };
  const middle = { bank_name: "Middle", swift_code: "MIDDDEFF", bank_country: "DE" };
  const address = { address: "1 Main St", country: "US", city: "Springfield", zip_code: "62701" };
  const full = {
    name: 'Ana "Nina" Śāņ',
    counterparty_address: address,
    bank_account: account,
    intermediary_bank: middle,
    external_id: 'Ext-0001 "ä"',
  };
  const first = await register("full", full);
  const second = await register("american", { name: "US <i>", bank_account: american, external_id: "ext2" });
  const counterparties = [first["id"], second["id"]];
  for (const index of [1, 2, 3, 4]) await register("more", { ...full, name: `N${index}`, external_id: `e${index}` });
  for (const external_id of ["0007", "A1B2C3D4-0000-4000-8ABC-00FE00000001"])
    await register(`other id ${external_id}`, { ...full, external_id });
  await register("long", { ...full, name: "x".repeat(700) });
  for (const [name, value] of [
    ["name", undefined],
    ["name", 1],
    ["bank_account", undefined],
    ["bank_account", null],
    ["bank_account", "x"],
    ["external_id", undefined],
  ] as const)
    await register("changed", { ...full, [name]: value });
  for (const body of ["[]", "{"]) await register("odd", body);
  await post("other customer", "/customers/other/counterparty", full);

  const efxOperation = { currency_amount: 100, operation_purpose: "EFX", currency_pair: "USDBRL" };
  const efx: unknown[] = [];
  const trade: unknown[] = [];
  const amounts = [10, 10.07, 100, 499.99, 777.77, 850.5, 901, 960.33, 995, 1000, 12.345678, 1e16];
  for (const counterparty_id of counterparties)
    for (const currency_amount of amounts)
      efx.push((await operate("operation", { ...efxOperation, currency_amount, counterparty_id }))["operation_id"]);
  const [counterparty_id, other] = counterparties;
  for (const currency_amount of [50, 700, 1000]) {
    const body = {
      ...efxOperation,
      operation_purpose: "IMPORT",
      currency_pair: "EURBRL",
      counterparty_id,
      currency_amount,
    };
    trade.push((await operate("import", body))["operation_id"]);
  }

  const item = { local_currency_amount: 10, tax_id: "52998224725", merchant: "Shop" };
  await attach("import item", trade[0], item);
  await attach("import item", trade[1], item);
  await attach("import item", trade[2], { ...item, local_currency_amount: 1000 });
  const importer = await register("importer", { ...full, name: "Importer", external_id: "importer" });
  const imported = { ...efxOperation, operation_purpose: "IMPORT", counterparty_id: importer["id"] };
  await attach("importer's item", (await operate("importer's", imported))["operation_id"], {
    ...item,
    local_currency_amount: 100,
  });
  await attach("item", efx[0], item);
  await attach("second item", efx[0], item);
  await attach("third item", efx[0], item);
  const inEuros = await operate("in euros", { ...efxOperation, currency_pair: "EURBRL", counterparty_id });
  await attach("item in euros", inEuros["operation_id"], item);
  await operate("other last", { ...efxOperation, counterparty_id: other });
  await attach("import item after", trade[0], item);
  await operate("import last", { ...efxOperation, operation_purpose: "IMPORT", counterparty_id });
  await attach("item after", efx[1], item);
  await attach("unknown", "unknown", item);
  await attach("unknown UUID", unknownId, item);
  await attach("a property of objects", "constructor", item);
  await attach("unknown and long", "unknown".repeat(12), item);
  await attach("beyond doubles", efx[2], JSON.stringify(item).replace("10", "1e400"));
  await operate("unknown UUID", { ...efxOperation, counterparty_id: unknownId });
  const marked = await register("marks", { ...full, bank_account: { ...account, bank_name: "Crédit Agricole" } });
  await operate("for one with marks", { ...efxOperation, counterparty_id: marked["id"] });
  const lettered = { ...full, bank_account: { ...account, account_number: "AB12345678" }, external_id: "lettered" };
  const { id: withLetters } = await register("account with letters", lettered);
  await operate("for an account with letters", { ...efxOperation, counterparty_id: withLetters });
  await operate("decided by the client", { ...efxOperation, counterparty_id, status: "settled", batch_id: "b-1" });
  const nameless = await register("without external id", { ...full, external_id: undefined });
  await operate("for one without external id", { ...efxOperation, counterparty_id: nameless["id"] });
  for (const [name, value] of [
    ["merchant", undefined],
    ["tax_id", null],
    ["local_currency_amount", "10"],
    ["local_currency_amount", 0],
  ] as const)
    await attach("changed item", efx[2], { ...item, [name]: value });
  for (const body of ["{", ""]) await attach("odd item", efx[2], body);
  await attach("item with decimals", efx[2], { ...item, local_currency_amount: 1.12345678 });
  await attach("item with marks", efx[2], { ...item, merchant: "Padaria São João" });
  await attach("shopkeeper's item", efx[2], { ...item, merchant: "Shopkeeper's" });
  const undeclared = { authorization, "content-type": "text/plain" };
  await post("undeclared item", `/corporate/operation/${encodeURIComponent(String(efx[2]))}/acam`, item, undeclared);
  await post("undeclared", `/customers/${customerId}/counterparty`, full, undeclared);
  await post("undeclared batch", "/batches", { currency_pair: "USDBRL" }, undeclared);

  for (const currency_pair of ["USDBRL", "EURBRL", "USDBRL", "USDBRL"])
    await post("batch", "/batches", { currency_pair });
  await operate("after a batch", { ...efxOperation, counterparty_id });
  await attach("batched import", trade[0], item);
  for (const currency_pair of [undefined, null, 1, "USD", "XXXYYY"])
    await post("changed batch", "/batches", { currency_pair });
  for (const body of ["[]", "{"]) await post("odd batch", "/batches", body);
  for (const turn of [1, 2, 3]) await record(`list ${turn}`, "GET", "/batches", undefined, { authorization });

  for (const query of ["page=abc", "limit=-1"])
    await record(`list with ${query}`, "GET", `/batches?${query}`, undefined, { authorization });

  const valid = { ...efxOperation, counterparty_id };
  for (const [name, normal] of Object.entries(valid))
    for (const value of [
      undefined,
      null,
      true,
      7,
      "10.5",
      [normal],
      { value: normal },
      0,
      -5,
      "US",
      "USD/BRL",
      "QQQZZZ",
      "",
      [],
      {},
    ])
      await operate(`changed ${name}`, { ...valid, [name]: value });
  for (const [name, value] of [
    ["currency_amount", "500"],
    ["operation_purpose", 1],
    ["currency_pair", ["USD", "BRL"]],
    ["counterparty_id", { id: counterparty_id }],
  ] as const)
    await operate(`${name} otherwise`, { ...valid, [name]: value });
  await operate("beyond doubles", JSON.stringify(valid).replace("100", "1e400"));
  await operate("with a byte order mark", `\u{feff}${JSON.stringify(valid)}`);
  for (const body of ["{}", "[]", "[1]", '"x"', "1", "true", "null", "", " ", '{"currency_amount":', "{'a':1}"])
    await operate(`odd ${body}`, body);

  for (const [method, path, body] of [
    ["POST", "/corporate/operation", valid],
    ["POST", `/customers/${customerId}/counterparty`, full],
    ["POST", `/corporate/operation/${encodeURIComponent(String(efx[3]))}/acam`, item],
    ["POST", "/batches", { currency_pair: "USDBRL" }],
    ["GET", "/batches", undefined],
  ] as const)
    for (const [what, header] of Object.entries(headersLike(token)))
      await record(what, method, path, body, { authorization: header });
  for (const [what, value] of Object.entries(keysLike(apiKey)))
    await record(what, "POST", "/auth/token", undefined, { "x-api-key": value });

  await Promise.all(
    [1, 2, 3, 4].map((n) => register(`concurrent ${n}`, { ...full, name: `T${n}`, external_id: `t${n}` })),
  );
  await Promise.all(
    ["USDBRL", "EURBRL", "CHFJPY"].map((currency_pair) =>
      post(`concurrent ${currency_pair}`, "/batches", { currency_pair }),
    ),
  );
  const [, reading] = await Promise.all([
    post("batch while the list is read", "/batches", { currency_pair: "USDBRL" }),
    sendOnce(`${baseUrl}/batches`, "GET", undefined, { authorization }, timeout, agent).catch(() => undefined),
  ]);
  // What it holds depends on who was first.
  lines.push(`list while a batch is made: ${reading?.status ?? "no answer"}`);
  await Promise.all(
    [101, 102.5, 103, 104].map((currency_amount) =>
      operate(`concurrent ${currency_amount}`, { ...efxOperation, currency_amount, counterparty_id }),
    ),
  );
  agent.destroy();
  return lines.map(speller());
}

const unknownId = "8f3c9a10-1234-4abc-8def-0123456789ab";

const tampered = (text: string, where = 0.5): string => {
  const at = Math.floor(text.length * where);
  return text.slice(0, at) + (text[at] === "x" ? "y" : "x") + text.slice(at + 1);
};

const swapped = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

const headersLike = (token: string): Readonly<Record<string, string | undefined>> => ({
  missing: undefined,
  alone: "Bearer",
  null: "Bearer null",
  property: "Bearer constructor",
  basic: "Basic dXNlcjpwYXNz",
  token: `Token ${token}`,
  "made up": "Bearer abcdefghijklmnopqrstuvwxyz012345",
  tampered: `Bearer ${tampered(token)}`,
  end: `Bearer ${tampered(token, 0.85)}`,
  tail: `Bearer ${token}abc`,
  case: `Bearer ${swapped(token)}`,
});

const keysLike = (key: string): Readonly<Record<string, string | undefined>> => ({
  missing: undefined,
  empty: "",
  truncated: key.slice(0, -2),
  "made up": "z".repeat(key.length),
  property: "constructor",
  changed: tampered(key),
  tail: `${key}abc`,
  case: swapped(key),
});

const textOf = ({ status, headers, text }: Received): string =>
  JSON.stringify([status, headers["content-type"], headers["location"], text]);

/** Replaces ids, tokens and times by names in the order in which they appear. */
function speller(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (found: string): string => {
    const name = names.get(found) ?? `#${names.size}`;
    names.set(found, name);
    return name;
  };
  return (text) =>
    text
      .replaceAll(/(?<=\\"token\\":\\")[^\\]+/g, nameOf)
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, nameOf)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+/g, "time");
}
