import { around, delayed, newIds, problem } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import { row, rowsWith, type Variant } from "./variant.ts";

/** When counterparties were registered, in milliseconds since 1970, by their ids. */
const registrations = () => {
  const since = new Map<string, number>();
  const recording = newIds("counterparty", async (_call, next) => {
    const id = await next();
    since.set(id, Date.now());
    return id;
  });
  return { since, recording };
};

const counterpartyLag: Change = (base) => {
  const { since, recording } = registrations();
  return {
    ...recording(base),
    findCounterparty: (id, call) => {
      const found = base.findCounterparty(id, call);
      return found && Date.now() - (since.get(id) ?? 0) >= 1_000 ? found : undefined;
    },
  };
};

const operationLag: Change = (base) => ({
  findOperation: (id, call) => {
    const found = base.findOperation(id, call);
    return found && Date.now() - found.createdAt.getTime() >= 1_000 ? found : undefined;
  },
});

/** Answers operations of a counterparty that is younger than `ms`, before any other check, where `when` says so. */
const refusingNew =
  (ms: number, status: number, when: (call: Call) => boolean = () => true): Change =>
  (base) => {
    const { since, recording } = registrations();
    const refusal = problem(status, "The counterparty is being processed");
    return {
      ...recording(base),
      ...around(async (call, next) => {
        // The body is not parsed yet.
        const id = /"counterparty_id" *: *"([^"]*)"/.exec(call.bytes.toString())?.[1] ?? "";
        const isNew = Date.now() - (since.get(id) ?? 0) < ms;
        return call.operation === "createOperation" && isNew && when(call) ? refusal : next(call);
      })(base),
    };
  };

const slow = rowsWith({ needs: { slow: true } });

const latency = (id: string, about: string, ms: (call: Call) => number): Variant =>
  row(`latency-${id}`, about, { slot: "latency" }).by(delayed(ms));

export const delayVariants: readonly Variant[] = [
  latency("50", "Every response takes 50 ms.", () => 50),
  latency("100", "Every response takes 100 ms.", () => 100),
  latency("jitter", "A response takes a random time of up to 80 ms.", () => Math.random() * 80),
  latency("of-list", "The list takes 400 ms.", (call) => (call.operation === "listBatches" ? 400 : 0)),
  latency("now-and-then", "One of 20 requests of an endpoint takes 800 ms.", ({ nth }) => (nth % 20 === 0 ? 800 : 0)),
  slow("counterparty-lags", "A counterparty can be used one second after its creation.").by(counterpartyLag),
  slow("lagging-node-404", "One of two nodes knows a new counterparty one second later.").by(
    refusingNew(1_000, 404, ({ nth }) => nth % 2 === 0),
  ),
  slow("counterparty-locked-409", "For half a second, a new counterparty gets a 409.").by(refusingNew(500, 409)),
  slow("counterparty-locked-425", "For half a second, a new counterparty gets a 425.").by(refusingNew(500, 425)),
  slow("operation-lags", "An operation accepts items one second after its creation.").by(operationLag),
];
