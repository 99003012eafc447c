import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { crowded, insteadOfEach, pause, remembering, success, edit, omit, set, type Edit } from "../change.ts";
import type { Change } from "../policy.ts";
import { crashed } from "./crashes.ts";
import { rows, rowsAnywhere, type Broken, type Fault } from "./fault.ts";
import { refusals } from "./refusals.ts";

const crashingConcurrent: Change = crowded(
  ({ operation }) => operation === "createOperation",
  async (inFlight, next) => {
    const many = inFlight() >= 3;
    await pause(10);
    return many ? crashed : next();
  },
);

const crashing = (at: OperationName, n: number, also: readonly RequirementId[]): Fault =>
  rows[at]("sometimes-crashes", ["HTTP-04", ...also], `One of ${n} requests gets a 500.`).gives(
    crashed,
    ({ nth }) => nth % n === 0,
  );

/** A fault of each success of an endpoint whose number is a multiple of `n`. */
const wrong = (at: OperationName, id: string, broken: Broken, n: number, words: string, change: Edit): Fault =>
  rows[at](`sometimes-${id}`, broken, `Of ${n} successes, ${words}.`).by(
    remembering(() => {
      let made = 0;
      return success(at, (body, call) => ((made += 1) % n === 0 ? change(body, call) : body));
    }),
  );

const textAmount = edit("foreign_currency_amount", String);
const inSaoPaulo = edit("created_at", (time: string) => time.replace("Z", "-03:00"));

const anyRefusal: Broken = ["HTTP-04", ...Object.values(refusals).flat()];
const ofOperation: Broken = ["HTTP-04", ...refusals.operation];
const { createOperation: operation } = rows;

export const intermittentFaults: readonly Fault[] = [
  rowsAnywhere()("sometimes-crashes", anyRefusal, "Every ninth request gets a 500.").by(insteadOfEach(9, crashed)),
  crashing("createCounterparty", 5, refusals.counterparty),
  crashing("createOperation", 7, refusals.operation),
  crashing("createBatch", 4, refusals.batch),
  crashing("listBatches", 3, refusals.list),
  operation("sometimes-crashes-together", ofOperation, "A third concurrent request gets a 500.").by(crashingConcurrent),
  wrong("createCounterparty", "without-id", "CPTY-01", 6, "one has no id", omit("id")),
  wrong("createOperation", "quoted", "OPER-02", 8, "one has the status quoted", set({ status: "quoted" })),
  wrong("createOperation", "amount-string", ["OPER-10", "OPER-06"], 10, "one has a string as its amount", textAmount),
  wrong("createOperation", "time-local", "OPER-14", 5, "one has the offset of São Paulo in its time", inSaoPaulo),
  wrong("createBatch", "id-missing", "BATCH-01", 3, "one has no id", omit("id")),
];
