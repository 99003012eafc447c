import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Run } from "../../model/run.ts";
import { startChromium } from "../../reports/testing/chromium.ts";
import { credentials, isSuccess, obedientBut, withJson, type Answer } from "../hostile/obedient-but.ts";
import { reportIn, warmCommands } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

const command = warmCommands("no-key-is-needed");

/** What the tests read of an entry. */
interface HarEntry {
  readonly request: { readonly method: string; readonly url: string; headers: { readonly name: string }[] };
  readonly response: {
    readonly status: number;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly content: { readonly text?: string; readonly encoding?: string };
  };
}
interface Har {
  readonly log: { readonly entries: readonly HarEntry[] };
}

const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type, x-api-key",
};

/** The reference server with CORS headers, and with one list that may be cached and one to be revalidated. */
const startTarget = async (variants: readonly string[], change: (answer: Answer) => Answer) => {
  const target = await obedientBut(async (call) => {
    const { request, response } = call;
    const { search } = new URL(request.url ?? "", "http://target");
    if (request.method === "OPTIONS") return void response.writeHead(204, cors).end();
    if (search === "?dropped") return void request.socket.destroy();
    const answer = change(await call.obedient());
    const headers: Record<string, string> = { ...answer.headers, ...cors };
    if (search === "?kept") headers["cache-control"] = "max-age=600";
    if (search === "?etag") Object.assign(headers, { etag: '"1"', "cache-control": "no-cache" });
    if (search === "?etag" && request.headers["if-none-match"] === '"1"')
      return void response.writeHead(304, { ...cors, etag: '"1"' }).end();
    call.send({ ...answer, headers });
  }, variants);
  onTestFinished(target.close);
  return target.baseUrl;
};

/** A page of another origin, as a web application has it. */
const startPage = async (): Promise<string> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>An application</title>");
  });
  return `http://127.0.0.1:${await listening(server)}/`;
};

/** Requests that the page sends, and how many of them the cache answers or the server answers with 304. */
const requests = 12;
const copies = 2;

/** The script of the page. */
const visit = async ({
  baseUrl,
  apiKey,
  customerId,
}: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly customerId: string;
}): Promise<readonly number[]> => {
  const statuses: number[] = [];
  let authorization = {};
  const send = async (path: string, init: RequestInit = {}): Promise<Record<string, string>> => {
    try {
      const response = await fetch(baseUrl + path, { ...init, headers: { ...authorization, ...init.headers } });
      statuses.push(response.status);
      return (await response.json()) as Record<string, string>;
    } catch {
      statuses.push(0);
      return {};
    }
  };
  const create = (path: string, body: object): Promise<Record<string, string>> =>
    send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const { token } = await send("/auth/token", { method: "POST", headers: { "x-api-key": apiKey } });
  authorization = { authorization: `Bearer ${token}` };
  const { id } = await create(`/customers/${customerId}/counterparty`, {
    name: "Zoë Müller",
    external_id: "client-1",
    counterparty_address: { address: "Rua A 1", country: "BR", city: "Recife", zip_code: "50000000", state: "PE" },
    bank_account: {
      bank_name: "Banco",
      swift_code: "DEUTDEFF",
      bank_country: "DE",
      account_number: "DE89370400440532013000",
      note: "a member that the contract does not name",
    },
  });
  const operation = { currency_amount: 100.5, operation_purpose: "EFX", currency_pair: "USDBRL", counterparty_id: id };
  const { operation_id } = await create("/corporate/operation", operation);
  await create(`/corporate/operation/${operation_id}/acam`, {
    local_currency_amount: 10,
    tax_id: "52998224725",
    merchant: "Loja São José",
  });
  await create("/corporate/operation", { ...operation, currency_pair: undefined });
  await create("/batches", { currency_pair: "USDBRL" });
  await send("/batches");
  for (const query of ["?kept", "?kept", "?etag", "?etag", "?dropped"]) await send(`/batches${query}`);
  return statuses;
};

describe("a recording of Chromium", { timeout: 60_000, tags: "chromium" }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  }, 60_000);
  afterAll(() => browser.close());

  const recorded = async (
    folder: string,
    variants: readonly string[],
    change: (answer: Answer) => Answer = (answer) => answer,
  ): Promise<Har> => {
    const [baseUrl, address] = [await startTarget(variants, change), await startPage()];
    const path = join(folder, "recording.har");
    const context = await browser.newContext({ recordHar: { path, content: "embed" } });
    const page = await context.newPage();
    await page.goto(address);
    const statuses = await page.evaluate(visit, { baseUrl, ...credentials });
    await context.close();
    expect(statuses).toEqual([200, 201, 200, 200, 400, 201, 200, 200, 200, 200, 200, 0]);
    expect(statuses).toHaveLength(requests);
    return JSON.parse(readFileSync(path, "utf8")) as Har;
  };

  const judged = async (folder: string, har: Har): Promise<{ readonly code: number | null; readonly run: Run }> => {
    writeFileSync(join(folder, "recording.har"), JSON.stringify(har));
    const { code } = await command(["judge", "recording.har", "--reports", "json"], folder);
    return { code, run: reportIn(folder) };
  };

  const idsWith = (run: Run, ...verdicts: readonly string[]): readonly string[] =>
    run.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);

  test("is judged as it is: copies of a cache, compressed content, a dropped connection", async () => {
    const folder = temporaryFolder();
    const har = await recorded(folder, ["gzip"]);
    const fields = har.log.entries.flatMap(({ response }) => response.headers.map(({ value }) => value));
    expect(fields).toContain("gzip");
    const { code, run } = await judged(folder, har);
    expect(idsWith(run, "fail", "warn")).toEqual([]);
    expect(code).toBe(0);
    expect(run).toMatchObject({ outcome: "partial", requests: requests - 1 - copies });
    expect(run.warnings.map((one) => one.replace(/^\d+ \w+ /, ""))).toEqual([
      "not judged: for another address or path.",
      "not judged: the response came from a cache.",
      "not judged: there is no response.",
    ]);
    expect(run.client).toMatchObject([
      { operation: "createOperation", text: "with /currency_pair left out", count: 1 },
    ]);
    // Tokens are judged, because each request has its own. What the traffic does not show is not judged.
    expect(idsWith(run, "pass")).toEqual(
      expect.arrayContaining(["AUTH-01", "OPER-06", "OPER-22", "ACAM-01", "HTTP-01"]),
    );
    expect(JSON.stringify(run)).not.toContain("Müller");
    expect(JSON.stringify(run)).not.toContain(credentials.apiKey);

    // The default export of the developer tools leaves these out.
    const left = new Set(["authorization", "cookie", "set-cookie"]);
    for (const { request } of har.log.entries)
      request.headers = request.headers.filter(({ name }) => !left.has(name.toLowerCase()));
    const sanitized = await judged(folder, har);
    expect(sanitized.code).toBe(0);
    expect(sanitized.run.warnings.join()).toContain("tokens are not judged");
  });

  test("shows what a server breaks", async () => {
    const folder = temporaryFolder();
    const har = await recorded(folder, [], (answer) =>
      isSuccess(answer) ? withJson(answer, (body) => ({ ...body, total: undefined })) : answer,
    );
    const { code, run } = await judged(folder, har);
    expect([code, run.outcome, idsWith(run, "fail")]).toEqual([1, "nonconformant", ["BATCH-22"]]);
  });
});
