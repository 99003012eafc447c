import { leftOut, sharing, type Change } from "../kit/index.ts";

/** Adds a member that the server does not know, as clients of a later version of an API do. */
export const withUnknownMember: Change = {
  what: "with an unknown member",
  with: { "/fxconform_note": "unknown" },
  breaksNoRule: true,
};

/**
 * Adds members that only responses have (INT-62), whose values nothing on the server has. A server
 * may ignore them, or refuse the request.
 */
export function withMadeUpMembers(runId: string): Change {
  const id = `made-up-${runId}`;
  const members = {
    "/id": id,
    "/operation_id": id,
    "/batch_id": id,
    "/status": "made-up",
    "/created_at": "2001-02-03T04:05:06Z",
    "/operation_count": 3,
    "/operations": [{ operation_id: id, foreign_currency_amount: 10, status: "made-up" }],
  };
  const parts = Object.entries(members).map(([place, value]) => ({
    with: { [place]: value },
    breaksNoRule: true as const,
  }));
  return { ...sharing(parts), what: "with members that only responses have", breaksNoRule: true };
}

/**
 * In some languages, every object has properties of these names. A text cannot become the prototype
 * of another object.
 */
const withPrototypeMembers: Change = {
  what: "with members named as those of a prototype",
  with: { "/__proto__": "unknown", "/constructor": "unknown" },
  breaksNoRule: true,
};

/** Returns the change that declares another media type, or with null no media type. */
export function declaredAs(contentType: string | null): Change & { readonly what: string } {
  return {
    what: contentType === null ? "without a Content-Type" : `declared as ${contentType}`,
    contentType,
    breaksNoRule: true,
  };
}

/** What a server may take or refuse beside a valid body: each change with its question and case. */
export const toleratedAt = (title: string) =>
  [
    [withUnknownMember, "OPEN-35", title],
    [declaredAs("text/plain"), "OPEN-36", `${title} declared as text/plain`],
    [withPrototypeMembers, "OPEN-35", `${title} with the names of a prototype`],
  ] as const;

/** A counterparty with only what the specification requires. A server may need more. */
export const withoutOptionalMembers: Change = {
  what: "without its optional members",
  with: {
    "/intermediary_bank": leftOut,
    "/bank_account/iban": leftOut,
    "/bank_account/aba_routing_number": leftOut,
  },
  breaksNoRule: true,
};
