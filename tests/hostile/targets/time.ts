import { around, htmlPage, problem, remembering } from "../../../reference/change.ts";
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

/** Servers that stop, and wrong clocks. */
export const time: readonly HostileTarget[] = [
  inconclusive(
    "retry-after-a-date",
    "From the fifteenth request on, answers 503 with a Retry-After in the year 9999.",
  ).by(from(15, problem(503, "down", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }))),
  nonconformant(
    "html-from-fortieth",
    "From the fortieth request on, answers everything with 200 and an HTML page about maintenance.",
  ).by(from(40, htmlPage(200))),
];
