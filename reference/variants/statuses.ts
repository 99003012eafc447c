import { set } from "../edits.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { answers, succeeded } from "../change.ts";
import type { RefusalReason } from "../refusal.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const succeeding = (operation: OperationName, status: number, question: QuestionId): Variant =>
  row(`${nameOf[operation]}-${status}`, `A success has status code ${status}.`, {
    answers: question,
    slot: `success of ${nameOf[operation]}`,
  }).by(answers((answer, call) => call.operation === operation && succeeded(answer), set({ status })));

const nameOf = {
  createToken: "token",
  createCounterparty: "counterparty",
  createOperation: "operation",
  addAcamItem: "acam",
  createBatch: "batch",
  listBatches: "list",
} as const satisfies Record<OperationName, string>;

const all = Object.keys(nameOf) as readonly OperationName[];
/** POST /corporate/operation states 400 and 401 for itself. */
const free = all.filter((name) => name !== "createOperation");

const refusing = (
  reasons: readonly RefusalReason[],
  status: number,
  question: QuestionId,
  operations: readonly OperationName[] = free,
): Variant =>
  row(
    `${(reasons[0] ?? "").replace(" ", "-")}-${operations.length === 1 ? `${nameOf[operations[0] ?? "listBatches"]}-` : ""}refused-${status}`,
    `A request is refused with ${status} for its ${reasons.join(" or ")}.`,
    { answers: question, slot: `refusal for ${reasons[0] ?? ""}` },
  ).by(
    answers(
      ({ refusal }, call) =>
        refusal !== undefined && reasons.includes(refusal) && operations.some((name) => name === call.operation),
      set({ status }),
    ),
  );

/** Other success and refusal statuses where the specification leaves them free. */
export const statusVariants: readonly Variant[] = [
  succeeding("createToken", 201, "OPEN-07"),
  succeeding("createCounterparty", 200, "OPEN-08"),
  succeeding("createCounterparty", 202, "OPEN-08"),
  succeeding("addAcamItem", 201, "OPEN-10"),
  succeeding("addAcamItem", 202, "OPEN-10"),
  succeeding("createBatch", 200, "OPEN-12"),
  succeeding("createBatch", 202, "OPEN-12"),
  succeeding("listBatches", 203, "OPEN-15"),
  refusing(["key"], 400, "OPEN-07"),
  refusing(["key"], 403, "OPEN-07"),
  refusing(["key"], 404, "OPEN-07"),
  refusing(["token"], 400, "OPEN-23"),
  refusing(["token"], 403, "OPEN-23"),
  refusing(["token"], 404, "OPEN-23"),
  refusing(["purpose"], 400, "OPEN-11"),
  refusing(["purpose"], 403, "OPEN-11"),
  refusing(["purpose"], 409, "OPEN-11"),
  refusing(["operation"], 400, "OPEN-11"),
  refusing(["operation"], 403, "OPEN-11"),
  refusing(["operation"], 422, "OPEN-11"),
  refusing(["customer"], 400, "OPEN-22"),
  refusing(["customer"], 403, "OPEN-22"),
  refusing(["invalid", "amount", "pair"], 422, "OPEN-13"),
  refusing(["invalid", "malformed", "amount", "pair"], 409, "OPEN-09"),
  refusing(["malformed"], 422, "OPEN-09"),
  refusing(["counterparty"], 404, "OPEN-29", all),
  refusing(["counterparty"], 409, "OPEN-29", all),
  refusing(["amount"], 422, "OPEN-29", ["createOperation"]),
  refusing(["pair"], 422, "OPEN-29", ["createOperation"]),
  refusing(["media type"], 400, "OPEN-36", all),
];
