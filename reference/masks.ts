/** They show for ids that are UUIDs. */
const uuids = ["acam-unknown-operation-of-own-shape", "crash-operation-unknown-counterparty-of-own-shape"];

/** Ids of faults, or their beginnings with a star, by the variant that leaves them nothing to show themselves in. */
const masks: Readonly<Record<string, readonly string[]>> = {
  "token-same": ["token-second-unusable"],
  "ids-base64": [...uuids],
  "ids-capitals": [...uuids],
  "ids-counted": ["operation-counterparty-upper-case", ...uuids],
  "ids-differing-by-case": [...uuids],
  "ids-long": [...uuids],
  "ids-percents": [...uuids],
  "ids-prefixed": [...uuids],
  "ids-queries": [...uuids],
  "ids-quotes": ["operation-counterparty-upper-case", ...uuids],
  "ids-slashes": [...uuids],
  "ids-spaces": [...uuids],
  "ids-unicode": [...uuids],

  "operation-minimal": [
    "operation-account-*",
    "operation-time-*",
    "operation-amount-nan",
    "operation-amount-crossed",
    "operation-answers-crossed",
    "operation-batch-absent",
    "operation-sometimes-time-local",
  ],
  "operation-nulls-left-out": ["operation-batch-absent"],
  "operation-without-batch": ["operation-batch-absent"],
  "operation-without-echo": ["operation-amount-nan", "operation-amount-crossed", "operation-answers-crossed"],
  "operation-without-time": ["operation-time-*", "operation-sometimes-time-local"],
  "banks-absent": ["operation-account-*", "operation-intermediary-incomplete", "operation-intermediary-name-only"],
  "intermediary-always-null": ["operation-intermediary-incomplete", "operation-intermediary-name-only"],
  "operation-anything": [
    "crash-operation-unknown-*",
    "operation-hangs-on-unknown-counterparty",
    "operation-counterparty-unknown-accepted",
    "operation-amount-zero-accepted",
    "operation-amount-negative-accepted",
    "operation-pair-*",
  ],
  "amount-whole": [
    "operation-amount-nan",
    "operation-amount-float32",
    "operation-amount-odd-cents",
    "operation-amount-one-decimal",
    "operation-amount-two-decimals",
    "operation-amount-whole",
  ],
  "amount-two-decimals": ["operation-amount-two-decimals"],
  "amount-up-to-800": [
    "operation-amount-capped",
    "operation-amount-fee-above-900",
    "operation-amount-string-above-800",
    "operation-created-201-above-900",
  ],
  "only-efx": [
    "acam-after-*",
    "acam-any-purpose*",
    "acam-first-operation",
    "acam-newest-*",
    "acam-purpose-*",
    "crash-acam-purpose",
    "operation-purpose-always-efx",
    "operation-status-for-other-purposes",
  ],
  "second-item-refused": ["acam-second-item-500", "acam-message-third-item"],
  "acam-before-batch": ["acam-after-batch"],
  "acam-anything": ["acam-invalid-error-object"],

  "counterparty-minimal": [
    "all-latin-1",
    "counterparty-account-*",
    "counterparty-address-*",
    "counterparty-answers-crossed",
    "counterparty-cut-short-when-long",
    "counterparty-external-id-*",
    "counterparty-intermediary-incomplete",
    "counterparty-name-*",
    "counterparty-quotes-unescaped",
    "counterparty-text-latin-1",
  ],
  "counterparty-without-banks": ["counterparty-account-*", "counterparty-intermediary-incomplete"],
  "external-id-absent": ["counterparty-external-id-*"],
  "names-capitals": ["counterparty-name-capitals"],
  "names-trimmed": ["counterparty-name-mangled"],
  "accounts-masked": ["counterparty-account-masked", "counterparty-account-number"],
  "names-ascii": ["all-latin-1", "counterparty-name-mangled", "counterparty-text-latin-1"],
  "texts-ascii": [
    "all-latin-1",
    "counterparty-name-mangled",
    "counterparty-external-id-mangled",
    "counterparty-text-latin-1",
  ],
  "json-ascii": ["all-latin-1", "all-errors-latin-1", "counterparty-text-latin-1"],
  "markup-refused": ["counterparty-external-id-escaped", "counterparty-quotes-unescaped"],
  "texts-bounded": ["counterparty-cut-short-when-long"],
  "counterparty-anything": ["counterparty-error-list"],
  "counterparty-complete": [
    "crash-operation-no-external-id",
    "batched-intermediary-empty",
    "batched-intermediary-null",
    "counterparty-address-null",
    "counterparty-external-id-null",
    "counterparty-intermediary-empty",
    "counterparty-intermediary-null*",
    "operation-intermediary-empty",
    "operation-intermediary-nulls",
    "operation-intermediary-text",
  ],
  "address-complete": ["counterparty-address-null", "counterparty-address-state-null"],

  "batch-minimal": ["batch-answers-crossed", "batch-pair-*", "batch-time-*"],
  "batched-minimal": [
    "batched-account-*",
    "batched-amount-string",
    "batched-counterparty-object",
    "batched-customer-null",
    "batched-intermediary-incomplete",
    "batched-status-null",
    "batched-time-*",
  ],
  "batches-stay-empty": ["batched-*", "list-operations-ids", "list-operations-missing-when-full"],
  "second-batch-same": [
    "batch-id-same*",
    "batch-answers-crossed",
    "batch-sometimes-*",
    "list-operations-null-when-empty",
  ],
  "second-batch-refused": [
    "batch-id-same*",
    "batch-answers-crossed",
    "batch-sometimes-*",
    "crash-batch-second-of-pair",
    "list-operations-null-when-empty",
  ],
  "empty-batch-refused": ["batch-id-same*", "batch-answers-crossed", "list-operations-null-when-empty"],
  "batch-anything": ["batch-error-invalid-errors"],

  "list-first-page": ["list-never-shows-new", "list-first-batch-only"],
  "list-first-page-oldest": ["list-never-shows-new", "list-first-batch-only"],
  "list-pages": ["list-never-shows-new", "list-first-batch-only"],
  "list-cursor": ["list-never-shows-new", "list-first-batch-only"],
  "list-linked": ["list-never-shows-new", "list-first-batch-only"],
  "list-count-of-operations": ["list-never-shows-new", "list-first-batch-only"],
  "members-more": ["list-never-shows-new", "list-first-batch-only"],
  "list-total-of-pages": ["list-never-shows-new", "crash-list-empty", "list-no-content-when-empty"],
  "old-batches-300": ["list-empty-*", "list-first-batch-only", "crash-list-empty", "list-no-content-when-empty"],
  "old-batches-5000": ["list-empty-*", "list-first-batch-only", "crash-list-empty", "list-no-content-when-empty"],
  "old-batches-of-other-rules": [
    "list-empty-*",
    "list-first-batch-only",
    "crash-list-empty",
    "list-no-content-when-empty",
  ],
};

/** True where nobody can see a fault from outside, because the server is such a variant. */
export const isMasked = (fault: string, variant: string): boolean =>
  patternsOf(variant).some((pattern) =>
    pattern.endsWith("*") ? fault.startsWith(pattern.slice(0, -1)) : fault === pattern,
  );

/** The variants that mask something. */
export const maskingVariants = Object.keys(masks);

/** What a variant masks. */
export const patternsOf = (variant: string): readonly string[] => masks[variant] ?? [];
