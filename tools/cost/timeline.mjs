// Prints how many requests of a run are in flight on average in each quarter of a second, if each
// response takes 100 ms and at most 8 or 32 requests are in flight. A low number shows where the
// run waits.
import { randomBytes } from "node:crypto";
import { run } from "../../dist/engine/server/run.js";
import { runOptionsFor } from "../reference-run.mjs";
import { meanIn, timesTheLeast } from "./figures.mjs";
import { startServer } from "./servers.mjs";

/** The time that a row of the output stands for, in milliseconds. */
const step = 250;

for (const concurrency of [8, 32]) await printTimeline(concurrency);

async function printTimeline(concurrency) {
  const sent = await requestsOf(concurrency);
  const start = Math.min(...sent.map(({ from }) => from));
  const end = Math.max(...sent.map(({ to }) => to));
  const ratio = timesTheLeast(sent, { requests: sent.length, concurrency, latency: 100 });
  console.log(
    `\n${sent.length} requests, at most ${concurrency} in flight: ${ratio.toFixed(2)} times the least`,
  );
  for (let from = start; from < end; from += step) {
    const inFlight = meanIn(sent, from, from + step);
    console.log(
      `${seconds(from - start)}  ${inFlight.toFixed(1).padStart(5)}  ${"#".repeat(Math.round(inFlight))}`,
    );
  }
}

/**
 * Runs the suite. Resolves to when each request was sent and answered, in milliseconds since 1970.
 */
async function requestsOf(concurrency) {
  const apiKey = randomBytes(12).toString("hex");
  const { baseUrl, close } = await startServer({ apiKey, variants: ["latency-100"] });
  const sent = [];
  const onRecorded = (entry) => {
    const { startedDateTime, time } = JSON.parse(entry);
    const from = Date.parse(startedDateTime);
    sent.push({ from, to: from + time });
  };
  await run(await runOptionsFor({ baseUrl, apiKey }, { concurrency, record: true }), {
    onRecorded,
  });
  await close();
  return sent;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`.padStart(7);
}
