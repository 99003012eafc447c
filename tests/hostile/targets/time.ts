import {
  inconclusive,
  nonconformant,
  type HostileTarget,
  type Running,
} from "../hostile-target.ts";
import { obedientBut, silentFor, withBody, type Answer, type Call } from "../obedient-but.ts";

function answerOf(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return withBody(
    { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.alloc(0) },
    JSON.stringify(body),
  );
}

function busy(headers: Readonly<Record<string, string>> = {}): Answer {
  return answerOf(429, { message: "slow down" }, headers);
}
function down(headers: Readonly<Record<string, string>> = {}): Answer {
  return answerOf(503, { message: "down" }, headers);
}

/** Obeys until the `nth` request, and then always sends this response. */
function from(
  nth: number,
  answer: Answer,
  is: (call: Call) => boolean = () => true,
): () => Promise<Running> {
  return () => {
    let counted = 0;
    return obedientBut(async (call) => {
      if (is(call)) counted += 1;
      if (is(call) && counted >= nth) return call.send(answer);
      call.send(await call.obedient());
    });
  };
}

/** Rate limits, servers that stop, and wrong clocks. */
export const time: readonly HostileTarget[] = [
  inconclusive(
    "429-from-the-start",
    "Answers everything with 429 and a Retry-After of a minute.",
  ).by(from(1, busy({ "retry-after": "60" }))),
  inconclusive(
    "retry-after-a-date",
    "From the fifteenth request on, answers 503 with a Retry-After in the year 9999.",
  ).by(from(15, down({ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }))),
  nonconformant(
    "html-from-fortieth",
    "From the fortieth request on, answers everything with 200 and an HTML page about maintenance.",
  ).by(
    from(
      40,
      withBody(
        { status: 200, headers: { "content-type": "text/html" }, body: Buffer.alloc(0) },
        "<h1>Back soon</h1>",
      ),
    ),
  ),
  inconclusive("dies", "From the fiftieth request on, resets all connections.", {
    says: /stopped responding/,
  }).by(() =>
    obedientBut(async (call) => {
      if (call.nth >= 50) return void call.request.socket.resetAndDestroy();
      call.send(await call.obedient());
    }),
  ),
  nonconformant("list-hangs", "Obeys, and never sends the list.", {
    options: ["--timeout", "500ms"],
    blamed: ["HTTP-05"],
    within: 25,
    inSmoke: true,
  }).by(silentFor(({ operation }) => operation === "listBatches")),
];
