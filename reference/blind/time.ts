import { answers, around, instead, problem, remembering, set, type Json } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import { withPurposes } from "../faults/fault.ts";
import type { Call, Change } from "../policy.ts";
import { anywhere, at, crash, legal, type BlindClass } from "./blind.ts";
import { listing } from "./storage.ts";

function ageOf(batch: Json): number {
  return Date.now() - Date.parse(String(batch["created_at"]));
}

function isOldOperation({ store, parameter }: Call): boolean {
  const created = store.operations.get(parameter)?.createdAt.getTime() ?? Infinity;
  return Date.now() - created > 2_000;
}

const knownSecondTime: Change = remembering(() => {
  const refused = new Set<string>();
  return (base) => ({
    admitsToken: (token, call) => {
      if (base.admitsToken(token, call)) return true;
      if (call.operation !== "createBatch") return false;
      const isKnown = refused.has(token);
      refused.add(token);
      return isKnown;
    },
  });
});

const expired: Change = around(async (call, next) => {
  const token = call.headers.authorization?.slice("Bearer ".length) ?? "";
  const since = call.store.tokens.get(token);
  return since !== undefined && Date.now() - since > 5_000 ? crash : next(call);
});

const staleConnection: Change = remembering(() => {
  let last = Date.now();
  return around(async (call, next) => {
    const silence = Date.now() - last;
    last = Date.now();
    return silence > 2_000 ? crash : next(call);
  });
});

const startingUp: Change = remembering(() => {
  const start = Date.now();
  return instead(
    () => Date.now() - start < 1_000,
    problem(503, "The service is starting", { "retry-after": "1" }),
  );
});

const tooLate = problem(408, "The connection was idle for too long", { connection: "close" });

export const time: BlindClass = {
  faults: [
    at.list.fault(
      "listed-after-thirty-seconds",
      "BATCH-24",
      "A batch is listed thirty seconds after its creation.",
      listing((batch) => ageOf(batch) > 30_000),
    ),
    at.acam.fault(
      "rule-off-when-old",
      ["ACAM-03", "ACAM-05"],
      "The purpose of an operation that is two seconds old is not looked at.",
      at.acam.refuses("purpose", (answer, call) => (isOldOperation(call) ? itemAdded : answer)),
      withPurposes,
    ),
    at.batch.fault(
      "made-up-token-known-second-time",
      ["AUTH-33", "AUTH-34"],
      "A token that was refused once is accepted when it is sent again.",
      knownSecondTime,
    ),
    anywhere.fault(
      "expired-token-500",
      "HTTP-04",
      "A token is good for five seconds, and gets a 500 after that.",
      expired,
    ),
    anywhere.fault(
      "idle-then-500",
      "HTTP-04",
      "The first request after two seconds without any gets a 500.",
      staleConnection,
    ),
    anywhere.fault(
      "cold-start-500",
      "HTTP-04",
      "The first request to each endpoint gets a 500.",
      instead(({ nth }) => nth === 1, crash),
    ),
    at.acam.fault(
      "acam-never-in-time",
      ["HTTP-05", "ACAM-04"],
      "An item for an unknown operation gets no answer for two minutes.",
      at.acam.refuses("operation", set({ fate: "hang" })),
      { slow: true },
    ),
    at.list.fault(
      "list-hangs-from-ten",
      "HTTP-05",
      "The list gets no answer once there are ten batches.",
      answers(
        (_answer, { operation, store }) =>
          operation === "listBatches" && store.batches.length >= 10,
        set({ fate: "hang" }),
      ),
      { slow: true },
    ),
  ],
  variants: [
    legal("starting-up-503", "During the first second, requests get a 503.", startingUp),
    legal("closes-idle-connections", "Idle connections are closed after 300 ms.", () => ({
      idle: 300,
    })),
    legal(
      "idle-408",
      "A request on an idle connection gets a 408.",
      instead(({ idle }) => idle > 300, tooLate),
    ),
  ],
};
