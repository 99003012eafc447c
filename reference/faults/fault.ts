import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Change } from "../policy.ts";

/** A way to break one requirement and to obey in all else. */
export interface Fault {
  readonly id: string;
  /** The requirement that has to be blamed. */
  readonly breaks: RequirementId;
  /** Others that may rightly be blamed too. */
  readonly also?: readonly RequirementId[];
  /** The endpoint where it shows, if there is one alone. */
  readonly operation?: OperationName;
  readonly about: string;
  /** It makes requests wait for their time-out: a run wants a short one. */
  readonly slow?: true;
  /** What a run has to know for the fault to show. */
  readonly needs?: FaultNeeds;
  readonly change: Change;
}

/** What a run has to know of the server: purposes besides EFX, a second pair, TLS, more decimals than two. */
export interface FaultNeeds {
  readonly otherPurposes?: true;
  readonly pairs?: true;
  readonly https?: true;
  readonly amountDecimals?: number;
}
