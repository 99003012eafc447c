import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { ClientFinding } from "../../model/run.ts";
import { sound } from "../../model/testing/exchanges.ts";
import { listening } from "../../model/testing/listening.ts";
import { watchClients } from "./served.ts";

test(
  "clients of a server are watched from their first request, each kind of finding once",
  { timeout: 30_000 },
  async () => {
    const found: ClientFinding[] = [];
    const watch = watchClients((finding) => found.push(finding));
    const server = createServer((request, response) => {
      watch(request);
      request.on("end", () => response.end("{}"));
    });
    const base = `http://127.0.0.1:${await listening(server)}/api`;
    const post = (
      path: string,
      body: object,
      own: Record<string, string> = {},
    ): Promise<Response> => {
      const headers = { "Content-Type": "application/json", Connection: "close", ...own };
      return fetch(base + path, { method: "POST", body: JSON.stringify(body), headers });
    };
    const authorization = "Bearer token-0123456789";
    const operation = sound.createOperation.sent;
    for (const _ of [1, 2]) expect(await (await fetch(`${base}/batches`)).text()).toBe("{}");
    await post("/corporate/operation", { ...operation, currency_amount: "10" }, { authorization });
    await post("/corporate/operation", operation, { authorization });
    await post("/corporate/operation/op-1/acam", [], { authorization });
    await post(
      "/corporate/operation",
      {},
      { authorization, "User-Agent": "fxconform/1.0.0 (run 1)" },
    );
    await post("/elsewhere", {});
    await expect
      .poll(() => found.map(({ operation: of }) => of), { timeout: 15_000 })
      .toEqual(["listBatches", "createOperation", "addAcamItem"]);
  },
);
