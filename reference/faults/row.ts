import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Change } from "../policy.ts";
import type { Fault } from "./fault.ts";

/** What some rows say besides. */
export type More = Pick<Fault, "also" | "needs" | "slow">;

/** A row of a table of faults. */
export type Row = (id: string, breaks: RequirementId, about: string, change: Change, more?: More) => Fault;

/** Makes the rows of a table whose faults show at one endpoint; their ids begin with `prefix`. */
export const rowsOf =
  (operation: OperationName | undefined, prefix: string): Row =>
  (id, breaks, about, change, more = {}) => ({
    id: prefix === "" ? id : `${prefix}-${id}`,
    breaks,
    ...(operation === undefined ? {} : { operation }),
    about,
    change,
    ...more,
  });
