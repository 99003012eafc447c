import type { RequirementId } from "../spec/catalogue.ts";
import type { InputKind } from "../spec/refusals.ts";
import type { OperationName } from "../spec/operations.ts";
import { memberOf, type Json } from "../spec/json.ts";
import type { Exchange } from "./exchange.ts";

/** What was chosen when a request was made, and when it was in flight: what requests can have in common. */
export interface RequestFacts {
  /** The id of its exchange. */
  readonly id: number;
  readonly operation: OperationName;
  /** Milliseconds since the run started, and until the end of the response. */
  readonly at: number;
  readonly took: number;
  /** Of the response. */
  readonly status: number;
  /** The kind of mistake that an invalid request has. */
  readonly input?: InputKind;
  /** What makes it unusual or invalid: `with null at /name`. */
  readonly change?: string;
  /** The odd text that it holds, whichever member holds it: `a quote as in SQL`. */
  readonly odd?: string;
  readonly pair?: string;
  readonly purpose?: string;
  /** Decimals of the amount. */
  readonly decimals?: number;
}

/** What is noted of a judged response, so that a mistake can say how many responses show it. */
export interface JudgedResponse {
  readonly exchange: number;
  readonly requirements: readonly RequirementId[];
  /** The key of the mistake that it shows. Absent: the requirements hold. */
  readonly mistake?: string;
}

/** The facts of a request. Its texts are redacted by `textOf`. */
export function requestFactsOf(exchange: Exchange, textOf: (text: string) => string): RequestFacts {
  const { id, operation, at, intent, request, response } = exchange;
  const isValid = intent.kind === "valid";
  const text = (value: Json | undefined): string | undefined => (typeof value === "string" ? textOf(value) : undefined);
  const amount = memberOf(request.json, "currency_amount");
  return {
    ...{ id, operation, at: Math.round(at), took: Math.round(response.took), status: response.status },
    change: isValid ? undefined : textOf(intent.change),
    input: isValid ? undefined : intent.input,
    odd: isValid ? undefined : intent.odd,
    pair: text(memberOf(request.json, "currency_pair")),
    purpose: text(memberOf(request.json, "operation_purpose")),
    decimals: typeof amount === "number" ? decimalsOf(amount) : undefined,
  };
}

/** How many decimals a number is written with: 2 for `10.25`. */
export function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return Math.max(0, fraction.length - Number(exponent));
}
