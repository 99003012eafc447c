import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startChromium } from "../../reports/testing/chromium.ts";
import { credentials, obedientBut } from "../hostile/obedient-but.ts";
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
const startTarget = async (): Promise<string> => {
  const target = await obedientBut(
    async ({ request, response, obedient, send }) => {
      const { search } = new URL(request.url ?? "", "http://target");
      if (request.method === "OPTIONS") return void response.writeHead(204, cors).end();
      if (search === "?dropped") return void request.socket.destroy();
      const answer = await obedient();
      const headers: Record<string, string> = { ...answer.headers, ...cors };
      if (search === "?kept") headers["cache-control"] = "max-age=600";
      if (search === "?etag") Object.assign(headers, { etag: '"1"', "cache-control": "no-cache" });
      if (search === "?etag" && request.headers["if-none-match"] === '"1"')
        return void response.writeHead(304, { ...cors, etag: '"1"' }).end();
      send({ ...answer, headers });
    },
    ["gzip"],
  );
  onTestFinished(target.close);
  return target.baseUrl;
};

/** The script of the page. */
const visit = async (given: { readonly baseUrl: string; readonly apiKey: string }): Promise<readonly number[]> => {
  const statuses: number[] = [];
  let authorization = {};
  const send = async (path: string, init: RequestInit = {}): Promise<Record<string, string>> => {
    try {
      const response = await fetch(given.baseUrl + path, { ...init, headers: { ...authorization, ...init.headers } });
      statuses.push(response.status);
      return (await response.json()) as Record<string, string>;
    } catch {
      statuses.push(0);
      return {};
    }
  };
  const create = (path: string, body: object): Promise<Record<string, string>> =>
    send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const { token } = await send("/auth/token", { method: "POST", headers: { "x-api-key": given.apiKey } });
  authorization = { authorization: `Bearer ${token}` };
  const operation = { currency_amount: 100.5, operation_purpose: "EFX", counterparty_id: "Zoë Müller" };
  await create("/corporate/operation", { ...operation, currency_pair: undefined });
  await create("/batches", { currency_pair: "USDBRL" });
  await send("/batches");
  for (const query of ["?kept", "?kept", "?etag", "?etag", "?dropped"]) await send(`/batches${query}`);
  return statuses;
};

test(
  "a recording of Chromium is judged: copies of a cache, compressed content, a dropped connection",
  { timeout: 60_000, tags: "chromium" },
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, "recording.har");
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ recordHar: { path, content: "embed" } });
    const page = await context.newPage();
    // A page of another origin, as a web application has it.
    const application = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>An application</title>");
    });
    await page.goto(`http://127.0.0.1:${await listening(application)}/`);
    const statuses = await page.evaluate(visit, { baseUrl: await startTarget(), ...credentials });
    await context.close();
    expect(statuses).toEqual([200, 400, 201, 200, 200, 200, 200, 200, 0]);
    const har = JSON.parse(readFileSync(path, "utf8")) as Har;
    const fields = har.log.entries.flatMap(({ response }) => response.headers.map(({ value }) => value));
    expect(fields).toContain("gzip");

    const words = ["judge", "recording.har", "--reports", "json"];
    expect((await command(words, folder)).code).toBe(0);
    const run = reportIn(folder);
    // Without the copy of the cache, the response of the server to the revalidation, and the dropped one.
    expect(run).toMatchObject({ outcome: "partial", requests: statuses.length - 3 });
    expect(run.warnings.map((one) => one.replace(/^\d+ \w+ /, ""))).toEqual([
      "not judged: for another address or path.",
      "not judged: the response came from a cache.",
      "not judged: there is no response.",
    ]);
    expect(run.client).toMatchObject([
      { operation: "createOperation", text: "with /currency_pair left out", count: 1 },
    ]);
    // Tokens are judged, because each request has its own. What the traffic does not show is not judged.
    const passed = run.requirements.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining(["AUTH-01", "OPER-22", "BATCH-01", "HTTP-01"]));
    expect(JSON.stringify(run)).not.toContain(credentials.apiKey);

    // The default export of the developer tools leaves these out.
    const left = new Set(["authorization", "cookie", "set-cookie"]);
    for (const { request } of har.log.entries)
      request.headers = request.headers.filter(({ name }) => !left.has(name.toLowerCase()));
    writeFileSync(path, JSON.stringify(har));
    expect((await command(words, folder)).code).toBe(0);
    expect(reportIn(folder).warnings.join()).toContain("tokens are not judged");
  },
);
