import { leftOut, type Change } from "../kit/index.ts";

/** Clients of later versions of an API send members that an earlier server does not know. */
export const withUnknownMember: Change = {
  what: "with an unknown member",
  with: { "/fxconform_note": "unknown" },
  breaksNoRule: true,
};

/**
 * Every object has properties of these names in some languages; texts cannot become anybody's
 * prototype.
 */
export const withPrototypeMembers: Change = {
  what: "with members named as those of a prototype",
  with: { "/__proto__": "unknown", "/constructor": "unknown" },
  breaksNoRule: true,
};

/** Null: without a declaration. */
export function declaredAs(contentType: string | null): Change & { readonly what: string } {
  return {
    what: contentType === null ? "without a Content-Type" : `declared as ${contentType}`,
    contentType,
    breaksNoRule: true,
  };
}

/** A counterparty with only what the specification requires: a server may need more. */
export const withoutOptionalMembers: Change = {
  what: "without its optional members",
  with: {
    "/intermediary_bank": leftOut,
    "/bank_account/iban": leftOut,
    "/bank_account/aba_routing_number": leftOut,
  },
  breaksNoRule: true,
};
