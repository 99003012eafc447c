import { around, newIds, pause, problem } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const waiting = (ms: (call: Call) => number): Change =>
  around(async (call, next) => {
    await pause(ms(call));
    return next(call);
  });

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

/** Finds a counterparty only `ms` milliseconds after its creation. */
const counterpartyLag =
  (ms: number): Change =>
  (base) => {
    const { since, recording } = registrations();
    return {
      ...recording(base),
      findCounterparty: (id, call) => {
        const found = base.findCounterparty(id, call);
        return found && Date.now() - (since.get(id) ?? 0) >= ms ? found : undefined;
      },
    };
  };

/** Finds an operation for an item only `ms` milliseconds after its creation. */
const operationLag =
  (ms: number): Change =>
  (base) => ({
    findOperation: (id, call) => {
      const found = base.findOperation(id, call);
      return found && Date.now() - found.createdAt.getTime() >= ms ? found : undefined;
    },
  });

/** Answers operations of a counterparty that is younger than `ms`, before any other check, where `when` says so. */
const refusingNew =
  (ms: number, refusal: Answer, when: (call: Call) => boolean = () => true): Change =>
  (base) => {
    const { since, recording } = registrations();
    return {
      ...recording(base),
      around: (call, next) =>
        base.around(call, async (inner) => {
          const id = inner.operation === "createOperation" ? textOf(inner.bytes, "counterparty_id") : undefined;
          const made = id === undefined ? undefined : since.get(id);
          const isNew = made !== undefined && Date.now() - made < ms;
          return isNew && when(inner) ? refusal : next(inner);
        }),
    };
  };

/** A string member of a body that was not parsed yet. */
const textOf = (bytes: Buffer, member: string): string | undefined =>
  new RegExp(`"${member}" *: *"([^"]*)"`).exec(bytes.toString())?.[1];

const slow = { needs: { slow: true } } as const;
const latency = { slot: "latency" } as const;

/** Slow responses, and resources that can be used only some time after their creation. */
export const delayVariants: readonly Variant[] = [
  row("latency-50", "Every response takes 50 ms.", latency).by(waiting(() => 50)),
  row("latency-100", "Every response takes 100 ms.", latency).by(waiting(() => 100)),
  row("latency-jitter", "A response takes a random time of up to 80 ms.", latency).by(
    waiting(() => Math.random() * 80),
  ),
  row("latency-of-list", "The list takes 400 ms.", latency).by(
    waiting((call) => (call.operation === "listBatches" ? 400 : 0)),
  ),
  row("latency-now-and-then", "Every twentieth request of an endpoint takes 800 ms.", latency).by(
    waiting((call) => (call.nth % 20 === 0 ? 800 : 0)),
  ),
  row("counterparty-lags", "A counterparty can be used one second after its creation.", slow).by(
    counterpartyLag(1_000),
  ),
  row("lagging-node-404", "One of two nodes knows a new counterparty one second later than the other.", slow).by(
    refusingNew(1_000, problem(404, "There is no such counterparty"), ({ nth }) => nth % 2 === 0),
  ),
  row("counterparty-locked-409", "Operations of a new counterparty get a 409 for half a second.", slow).by(
    refusingNew(500, problem(409, "The counterparty is being processed")),
  ),
  row("counterparty-locked-425", "Operations of a new counterparty get a 425 for half a second.", slow).by(
    refusingNew(500, problem(425, "Too early")),
  ),
  row("operation-lags", "An operation accepts items one second after its creation.", slow).by(operationLag(1_000)),
];
