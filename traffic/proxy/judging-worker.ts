import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { plural } from "../../model/plural.ts";
import { createTrafficJudge } from "../judge.ts";
import { watchedOf, type Captured } from "./captured.ts";
import type { FromThread, ThreadInput, ToThread } from "./judging-thread.ts";

/** The thread that judges what passes through the proxy, so that judging delays nothing. */
const { options, document, baseUrl, startedAt } = workerData as ThreadInput;
// The traffic comes first. On Linux this is the priority of the thread; elsewhere it would be that of the process.
if (process.platform === "linux") setPriority(10);
const send = (message: FromThread): void => parentPort?.postMessage(message);
const judge = createTrafficJudge(options, {
  document,
  baseUrl,
  startedAt,
  isComplete: true,
  onFinding: (finding) => send({ type: "finding", finding }),
  onClientFinding: (finding) => send({ type: "client", finding }),
});
let number = 0;
let elsewhere = 0;
let withoutBody = 0;

const take = (captured: Captured): void => {
  number += 1;
  for (const body of [captured.requestBody, captured.responseBody]) if (body === undefined) withoutBody += 1;
  const watched = watchedOf(captured, number);
  judge.learn(watched);
  if (!judge.judge(watched)) elsewhere += 1;
};

parentPort?.on("message", (message: ToThread) => {
  if (message.type === "report") {
    const run = judge.run({
      endedAt: Date.now(),
      warnings: [
        ...(message.dropped === 0
          ? []
          : [`${plural(message.dropped, "request")} not judged: more came than could be judged beside the traffic.`]),
        ...(withoutBody === 0
          ? []
          : [`${plural(withoutBody, "body", "bodies")} not judged: longer than 4 MiB, or too many at the same time.`]),
        ...(elsewhere === 0 ? [] : [`${plural(elsewhere, "request")} not judged: for another path.`]),
      ],
      nothing: number === 0 ? "no request came." : "no request of the API came.",
    });
    return send({ type: "report", run, secrets: judge.secrets() });
  }
  for (const captured of message.all) take(captured);
  send({ type: "judged", exchanges: message.all.length, size: message.size });
});
