import type { RequirementId } from "../../spec/catalogue.ts";
import type { InputKind } from "../../spec/refusals.ts";

/** A rule that a request breaks. */
export interface BrokenRule {
  /** What the request is, after "a request": `with /name left out`. */
  readonly change: string;
  /** What kind of mistake it is, if the refusal does not say so. */
  readonly input?: InputKind;
  /** The requirement that such a request is refused, if there is one. */
  readonly refusal?: Refusal;
  /** Only good practice speaks against the request: it breaks no stated rule. */
  readonly isDoubtful?: true;
}

/** How a request must be refused. */
export interface Refusal {
  readonly requirement: RequirementId;
  /** The one status that is stated; absent: any 4xx. */
  readonly status?: 400 | 401;
}
