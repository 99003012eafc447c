import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { succeeded, set } from "../change.ts";
import type { RefusalReason } from "../policy.ts";
import { row, type Variant } from "./variant.ts";

const nameOf = {
  createToken: "token",
  createCounterparty: "counterparty",
  createOperation: "operation",
  addAcamItem: "acam",
  createBatch: "batch",
  listBatches: "list",
} as const satisfies Record<OperationName, string>;

const succeeding = (at: OperationName, answers: QuestionId, ...statuses: readonly number[]): readonly Variant[] =>
  statuses.map((status) =>
    row(`${nameOf[at]}-${status}`, `A success has status code ${status}.`, {
      answers,
      slot: `success of ${nameOf[at]}`,
    }).answers((answer, call) => call.operation === at && succeeded(answer), set({ status })),
  );

/** POST /corporate/operation states 400 and 401 for itself. */
const isFree = (at?: OperationName): boolean => at !== "createOperation";
const isOperation = (at?: OperationName): boolean => at === "createOperation";
const isAny = (at?: OperationName): boolean => at !== undefined;

const refusing = (
  reasons: readonly [RefusalReason, ...RefusalReason[]],
  answers: QuestionId,
  statuses: readonly number[],
  isAt: (at?: OperationName) => boolean = isFree,
): readonly Variant[] =>
  statuses.map((status) => {
    const name = `${reasons[0].replace(" ", "-")}${isAt === isOperation ? "-operation" : ""}`;
    const about = `A request is refused with ${status} for its ${reasons.join(" or ")}.`;
    return row(`${name}-refused-${status}`, about, { answers, slot: `refusal for ${reasons[0]}` }).answers(
      ({ refusal }, call) => refusal !== undefined && reasons.includes(refusal) && isAt(call.operation),
      set({ status }),
    );
  });

/** Other success and refusal statuses where the specification leaves them free. */
export const statusVariants: readonly Variant[] = [
  ...succeeding("createToken", "OPEN-07", 201),
  ...succeeding("createCounterparty", "OPEN-08", 200, 202),
  ...succeeding("addAcamItem", "OPEN-10", 201, 202),
  ...succeeding("createBatch", "OPEN-12", 200, 202),
  ...succeeding("listBatches", "OPEN-15", 203),
  ...refusing(["key"], "OPEN-07", [400, 403, 404]),
  ...refusing(["token"], "OPEN-23", [400, 403, 404]),
  ...refusing(["purpose"], "OPEN-11", [400, 403, 409]),
  ...refusing(["operation"], "OPEN-11", [400, 403, 422]),
  ...refusing(["customer"], "OPEN-22", [400, 403]),
  ...refusing(["invalid", "amount", "pair"], "OPEN-13", [422]),
  ...refusing(["invalid", "malformed", "amount", "pair"], "OPEN-09", [409]),
  ...refusing(["malformed"], "OPEN-09", [422]),
  ...refusing(["counterparty"], "OPEN-29", [404, 409], isAny),
  ...refusing(["amount"], "OPEN-29", [422], isOperation),
  ...refusing(["pair"], "OPEN-29", [422], isOperation),
  ...refusing(["media type"], "OPEN-36", [400], isAny),
];
