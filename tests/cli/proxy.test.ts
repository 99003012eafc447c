import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { bin, interrupted, printed, reportIn, started } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const clients = 200;
const megabyte = 2 ** 20;
/** Peak memory of the proxy's process, both threads together. */
const mostMegabytes = 450;

/** Returns a function whose calls resolve together, when `size` of them wait. */
const gathering = (size: number): (() => Promise<void>) => {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === size) for (const go of waiting.splice(0)) go();
    });
};

/** Bytes that differ for each request, and their length. */
const bytesOf = (seed: string, size: number): Buffer => {
  const one = createHash("sha256").update(seed).digest();
  return Buffer.alloc(size, one);
};

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

interface Answer {
  readonly status: number | undefined;
  readonly hash: string;
  readonly bytes: number;
  readonly isWhole: boolean;
  /** Milliseconds from the first byte of the body to the last. */
  readonly spread: number;
}

const sent = (url: string, agent: Agent, body?: Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: "Bearer token-0123456789",
      ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.length }),
    };
    const request = send(url, { agent, method: body === undefined ? "GET" : "POST", headers }, (response) => {
      const digest = createHash("sha256");
      let [bytes, first] = [0, 0];
      const end = (isWhole: boolean): void =>
        resolve({
          status: response.statusCode,
          hash: digest.digest("hex"),
          bytes,
          isWhole,
          spread: performance.now() - first,
        });
      response.on("data", (chunk: Buffer) => {
        first ||= performance.now();
        bytes += chunk.length;
        digest.update(chunk);
      });
      response.on("end", () => end(true));
      response.on("error", () => end(false));
    });
    request.on("error", reject);
    request.end(body);
  });

test("200 clients at once get what the target sends, and memory stays bounded", { timeout: 90_000 }, async () => {
  const all = gathering(clients);
  const large = gathering(clients / 4);
  const left = new Set<string>();
  const target = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", "http://target");
    const [what, seed] = [url.searchParams.get("what"), url.searchParams.get("seed") ?? ""];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader("content-type", "application/json");
    if (what === "at-once") {
      await all();
      // Sends the body back, and more.
      const body = Buffer.from(
        JSON.stringify({ batches: [], count: 0, total: 0, note: hash(Buffer.concat(chunks)), seed: seed.repeat(200) }),
      );
      if (Number(seed) % 2 === 0) return void response.end(body);
      response.setHeader("content-encoding", "gzip");
      return void response.end(gzipSync(body));
    }
    if (what === "large") {
      response.write(bytesOf(seed, 3 * megabyte));
      await large();
      return void response.end("!");
    }
    if (what === "huge") {
      for (let index = 0; index < 32; index += 1)
        if (!response.write(bytesOf(`${index}`, megabyte)))
          await new Promise((resolve) => response.once("drain", resolve));
      return void response.end();
    }
    if (what === "slow") {
      for (const part of ['{"batches":[],', '"count":0,', '"total"', ":0}"]) {
        response.write(part);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return void response.end();
    }
    if (what === "leaves") {
      response.write("{");
      return void response.once("close", () => left.add(what));
    }
    return void response.end('{"batches":[],"count":0}');
  };
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", 1024, resolve));
  onTestFinished(() => {
    target.closeAllConnections();
    target.close();
  });
  const folder = temporaryFolder();
  const peak = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
  const { port } = target.address() as AddressInfo;
  const words = ["proxy", "--base-url", `http://127.0.0.1:${port}`, "--reports", "json", "--report-every", "1s"];
  const proxy = started(process.execPath, ["--import", peak, bin, ...words], folder);
  const line = await printed(proxy, /Listening at \S+/, "stderr");
  const at = `${line.split(" ").at(-1) ?? ""}/batches`;

  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => agents.forEach((agent) => agent.destroy()));
  const [agent = new Agent()] = agents;

  // All are in flight at the same time, with different bodies. Each connection is reused.
  const one = async (own: Agent, index: number): Promise<void> => {
    const body = Buffer.from(bytesOf(`sent ${index}`, 1000 + index).toString("hex"));
    const expected = Buffer.from(
      JSON.stringify({ batches: [], count: 0, total: 0, note: hash(body), seed: `${index}`.repeat(200) }),
    );
    const received = await sent(`${at}?what=at-once&seed=${index}`, own, body);
    const bytes = index % 2 === 0 ? expected : gzipSync(expected);
    expect(received).toMatchObject({ status: 200, hash: hash(bytes), isWhole: true });
  };
  await Promise.all(agents.map(one));
  await Promise.all(agents.map(one));

  // Each is short enough to be judged. Together they are more than the proxy may hold.
  const some = agents.slice(0, clients / 4);
  await Promise.all(
    some.map(async (own, index) => {
      const received = await sent(`${at}?what=large&seed=${index}`, own);
      const expected = Buffer.concat([bytesOf(`${index}`, 3 * megabyte), Buffer.from("!")]);
      expect(received).toMatchObject({ hash: hash(expected), isWhole: true });
    }),
  );

  const [huge, slow] = await Promise.all([
    sent(`${at}?what=huge`, agent),
    sent(`${at}?what=slow`, agents[1] ?? agent),
    // A client that disconnects during a response.
    new Promise<void>((resolve) => {
      const request = send(`${at}?what=leaves`, (response) => response.once("data", () => request.destroy()));
      request.on("error", () => undefined);
      request.once("close", resolve);
      request.end();
    }),
  ]);
  expect(huge).toMatchObject({ bytes: 32 * megabyte, isWhole: true });
  expect(slow).toMatchObject({ hash: hash(Buffer.from('{"batches":[],"count":0,"total":0}')), isWhole: true });
  expect(slow.spread).toBeGreaterThan(200);
  await expect.poll(() => [...left]).toEqual(["leaves"]);

  // A violation is printed once, however often it comes.
  await sent(at, agent);
  await sent(at, agent);
  await printed(proxy, /^BATCH-22 MUST .*total.*\n/m);
  await expect.poll(() => existsSync(join(folder, "fxconform-report", "report.json")), { timeout: 5000 }).toBe(true);

  const lines = proxy.output.stdout;
  expect(lines.match(/^BATCH-22 MUST/gm)).toHaveLength(1);
  expect(lines.match(/^client {2}POST \/batches whose body is not well-formed JSON/gm)).toHaveLength(1);

  const { code, stderr } = await interrupted(proxy);
  expect(code, stderr).toBe(1);
  expect(Number(stderr.trim().split("\n").at(-1)) / 1024).toBeLessThan(mostMegabytes);
  const run = reportIn(folder);
  const dropped = /^(\d+) requests? not judged: more came/m.exec(run.warnings.join("\n"))?.[1] ?? "0";
  expect(run.requests + Number(dropped)).toBe(clients * 2 + clients / 4 + 4);
  expect(run.warnings.join("\n")).toMatch(/^\d+ bod(?:y|ies) not judged: longer than 4 MiB, or too many/m);
  const failed = run.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(failed).toContain("BATCH-22");
});
