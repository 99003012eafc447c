import type { RequirementId } from "../../spec/catalogue.ts";

/** The requirements to refuse a missing, a made-up and a tampered token, and another scheme, in this order. */
export const tokenRefusals = {
  createOperation: ["AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"],
  createCounterparty: ["AUTH-24", "AUTH-25", "AUTH-26", "AUTH-27"],
  addAcamItem: ["AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"],
  createBatch: ["AUTH-32", "AUTH-33", "AUTH-34", "AUTH-35"],
  listBatches: ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"],
} as const;

/** The requirements to refuse an operation with a member that is missing, null or of a wrong type. */
export const memberRefusals = {
  currency_amount: { missing: "OPER-20", null: "OPER-24", type: "OPER-28" },
  operation_purpose: { missing: "OPER-21", null: "OPER-25", type: "OPER-29" },
  currency_pair: { missing: "OPER-22", null: "OPER-26", type: "OPER-30" },
  counterparty_id: { missing: "OPER-23", null: "OPER-27", type: "OPER-31" },
} as const;

const ofMembers = Object.values(memberRefusals);

export const operationRefusals = {
  missing: ofMembers.map(({ missing }) => missing),
  nulls: ofMembers.map((refusals) => refusals.null),
  types: ofMembers.map(({ type }) => type),
  bodies: ["OPER-32", "OPER-33", "OPER-34"],
} as const;

/** The requirements to refuse a request, by endpoint. A 500 instead of a refusal breaks them, too. */
export const refusals = {
  operation: [
    ...tokenRefusals.createOperation,
    ...Object.values(operationRefusals).flat(),
    ...(["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"] as const),
  ],
  token: ["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10", "AUTH-11"],
  counterparty: tokenRefusals.createCounterparty,
  acam: [...tokenRefusals.addAcamItem, "ACAM-03", "ACAM-04", "ACAM-05"],
  batch: tokenRefusals.createBatch,
  list: [...tokenRefusals.listBatches, "AUTH-40", "AUTH-41"],
} as const satisfies Record<string, readonly RequirementId[]>;
