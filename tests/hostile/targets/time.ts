import { around, htmlPage, instead, problem, remembering } from "../../../reference/change.ts";
import type { Answer } from "../../../reference/policy.ts";
import { inconclusive, nonconformant, type HostileTarget } from "../hostile-target.ts";
import { obedientBut } from "../obedient-but.ts";

/** Obeys until the `nth` request, and then always sends this response. */
function from(nth: number, answer: Answer) {
  return obedientBut(
    remembering(() => {
      let requests = 0;
      return around(async (call, next) => {
        requests += 1;
        return requests >= nth ? answer : next(call);
      });
    }),
  );
}

/** Rate limits, servers that stop, and wrong clocks. */
export const time: readonly HostileTarget[] = [
  inconclusive(
    "429-from-the-start",
    "Answers everything with 429 and a Retry-After of a minute.",
  ).by(from(1, problem(429, "slow down", { "retry-after": "60" }))),
  inconclusive(
    "retry-after-a-date",
    "From the fifteenth request on, answers 503 with a Retry-After in the year 9999.",
  ).by(from(15, problem(503, "down", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }))),
  nonconformant(
    "html-from-fortieth",
    "From the fortieth request on, answers everything with 200 and an HTML page about maintenance.",
  ).by(from(40, htmlPage(200))),
  inconclusive("dies", "From the fiftieth request on, drops all connections.", {
    says: /stopped responding/,
  }).by(from(50, { status: 0, headers: {}, fate: "drop" })),
  nonconformant("list-hangs", "Obeys, and never sends the list.", {
    options: ["--timeout", "500ms"],
    blamed: ["HTTP-05"],
    within: 25,
    inSmoke: true,
  }).by(
    obedientBut(
      instead(({ operation }) => operation === "listBatches", {
        status: 0,
        headers: {},
        fate: "hang",
      }),
    ),
  ),
];
