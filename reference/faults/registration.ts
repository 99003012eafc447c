import { answers, refusal, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";
import { shapes } from "./shapes.ts";
import { crossing, repeatingWhenTogether } from "./together.ts";

const row = rowsOf("createCounterparty", "counterparty");

const shows = (change: (body: Json, call: Call) => Json): Change => success("createCounterparty", change);

const afterwards =
  (change: (body: Json) => Json): Change =>
  (base) => {
    let made = 0;
    return shows((body) => ((made += 1) > 1 ? change(body) : body))(base);
  };

/** Faults of the ids and the refusals of POST /customers/{customer_id}/counterparty. */
export const registrationFaults: readonly Fault[] = [
  row(
    "id-missing",
    "CPTY-01",
    "The id is missing.",
    shows((body) => without(body, "id")),
  ),
  row(
    "id-null",
    "CPTY-01",
    "The id is null.",
    shows((body) => ({ ...body, id: null })),
    { also: ["CPTY-02"] },
  ),
  row(
    "id-renamed",
    "CPTY-01",
    "The id is called counterparty_id.",
    shows((body) => ({ ...without(body, "id"), counterparty_id: body["id"] })),
  ),
  row(
    "id-missing-later",
    "CPTY-01",
    "From the second counterparty on the id is missing.",
    afterwards((body) => without(body, "id")),
  ),
  row(
    "id-nested",
    "CPTY-01",
    "The counterparty is wrapped in data.",
    shows((body) => ({ data: body })),
  ),
  row(
    "id-number",
    "CPTY-01",
    "The id is a number.",
    (base) => {
      let last = 0;
      return {
        ...shows((body) => ({ ...body, id: Number(body["id"]) }))(base),
        newId: (kind, call) => (kind === "counterparty" ? String((last += 1)) : base.newId(kind, call)),
      };
    },
    { also: ["CPTY-02"] },
  ),

  row(
    "id-same",
    "CPTY-10",
    "All counterparties have one id.",
    (base) => ({
      newId: (kind, call) => (kind === "counterparty" ? "1" : base.newId(kind, call)),
    }),
    { also: ["CPTY-11"] },
  ),
  row(
    "id-twice",
    "CPTY-10",
    "Each id is given twice.",
    (base) => {
      let made = 0;
      let last = "";
      return {
        newId: async (kind, call) => {
          if (kind !== "counterparty") return base.newId(kind, call);
          if ((made += 1) % 2 === 1) last = await base.newId(kind, call);
          return last;
        },
      };
    },
    { also: ["CPTY-11"] },
  ),
  row(
    "id-same-together",
    "CPTY-11",
    "Counterparties that are registered at once share an id.",
    repeatingWhenTogether("counterparty"),
    { also: ["CPTY-10"] },
  ),
  row(
    "answers-crossed",
    "CPTY-11",
    "Counterparties that are registered at once get each other's answers.",
    crossing("createCounterparty"),
    {
      also: ["CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
    },
  ),

  row("error-renamed", "CPTY-12", "Refusals are { error }.", refusal("createCounterparty", shapes.renamed)),
  row("error-errors", "CPTY-12", "Refusals are a list of errors.", refusal("createCounterparty", shapes.errors)),
  row(
    "error-list",
    "CPTY-12",
    "The message of invalid data is a list.",
    refusal("createCounterparty", (answer) => (answer.refusal === "invalid" ? shapes.list(answer) : answer)),
  ),
  row(
    "error-token-string",
    "CPTY-12",
    "A bad token is answered with a string.",
    answers((answer, call) => call.operation === "createCounterparty" && answer.refusal === "token", shapes.string),
  ),
];
