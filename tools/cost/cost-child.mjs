// Measures one thing in its own process. The first argument names it, the second has its parameters
// as JSON. Modules are loaded only when they are needed, because loading is measured too.
import { readFileSync, writeFileSync } from "node:fs";

const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);

/**
 * What can be measured. Each function resolves to the number of requests that it sent, and to
 * further figures if it has some: `took` is the time of the loop in milliseconds, and `first` the
 * time from the start of the process to the first request.
 */
const children = {
  /**
   * Sends the requests of a run `times` times through undici's Pool, parses the responses and
   * validates the successes.
   */
  async bare({ baseUrl, apiKey, recorded, times }) {
    const { Pool } = await import("undici");
    const { requestsOf } = await import("./recorded.mjs");
    const { compileResponseSchemas } = await built("harness/judging/response-schemas.js");
    const { bundledContract } = await built("spec/bundle.js");
    const schemas = compileResponseSchemas(await bundledContract());
    const pool = new Pool(baseUrl, { connections: 8 });
    const issued = await pool.request({
      method: "POST",
      path: "/auth/token",
      headers: { "x-api-key": apiKey },
    });
    const { token } = await issued.body.json();
    const entries = JSON.parse(readFileSync(recorded, "utf8"));
    const list = requestsOf(entries, { apiKey, token });
    const send = async ({ schema, method, path, headers, body: sentBody }) => {
      const { statusCode, body } = await pool.request({ method, path, headers, body: sentBody });
      const text = await body.text();
      if (statusCode > 299) return void (text === "" || JSON.parse(text));
      const json = JSON.parse(text);
      if (schema !== undefined && schemas.faultsIn(schema, json).length > 0)
        throw new Error(`${path}: ${text}`);
    };
    const began = performance.now();
    let sent = 0;
    const worker = async () => {
      while (sent < list.length * times) {
        sent += 1;
        await send(list[(sent - 1) % list.length]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const took = performance.now() - began;
    await pool.close();
    return { requests: list.length * times + 1, took };
  },

  /** Runs the suite. `record`: the file in which the exchanges are kept, if any. */
  async suite({ options, record }) {
    const { run } = await built("engine/server/run.js");
    const entries = [];
    let first;
    const { outcome, requests } = await run(options, {
      onRecorded: (entry) => void entries.push(entry),
      onSpan: ({ from }) =>
        void (first = Math.min(first ?? Infinity, from - performance.timeOrigin)),
    });
    if (!["conformant", "partial"].includes(outcome))
      throw new Error(`the reference server was found ${outcome}`);
    if (record !== undefined) writeFileSync(record, `[${entries.join(",\n")}]`);
    return { requests, first };
  },
};

const [child, given] = process.argv.slice(2);
const result = await children[child](JSON.parse(given));
const { user, system } = process.cpuUsage();
const memory = process.resourceUsage().maxRSS / 1024;
console.log(
  JSON.stringify({ wall: performance.now(), ...result, cpu: (user + system) / 1000, memory }),
);
process.exit();
