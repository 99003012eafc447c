const idsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Faults that show only if ids are UUIDs. */
const uuids = idsIn("acam-unknown-operation-of-own-shape crash-operation-unknown-counterparty-of-own-shape");

const forEach = (variants: string, faults: string | readonly string[]) =>
  Object.fromEntries(idsIn(variants).map((variant) => [variant, typeof faults === "string" ? idsIn(faults) : faults]));

/** The faults that cannot be detected on a variant, by its id: ids of faults, or prefixes that end in a star. */
const undetectable: Readonly<Record<string, readonly string[]>> = {
  ...forEach("ids-base64 ids-capitals ids-differing-by-case ids-long ids-percents ids-prefixed ids-queries", uuids),
  ...forEach("ids-slashes ids-spaces ids-unicode", uuids),
  // These faults show only in a list of all batches, and the next ones only in a list of few.
  ...forEach(
    "list-first-page list-first-page-oldest list-pages list-cursor list-linked list-count-of-operations members-more",
    "list-never-shows-new list-first-batch-only",
  ),
  ...forEach(
    "old-batches-300 old-batches-5000 old-batches-of-other-rules",
    "list-empty-* list-first-batch-only crash-list-empty list-no-content-when-empty",
  ),

  "token-short": ["operation-end-of-token-ignored"],
  "token-same": ["token-second-unusable"],
  "ids-counted": ["operation-counterparty-upper-case", ...uuids],
  "ids-quotes": ["operation-counterparty-upper-case", ...uuids],
  "operation-minimal": idsIn(`
    operation-text-latin-1 operation-account-* operation-time-* operation-amount-nan operation-amount-crossed
    operation-answers-crossed operation-batch-absent operation-sometimes-time-local`),
  "operation-nulls-left-out": ["operation-batch-absent"],
  "operation-without-batch": ["operation-batch-absent"],
  "operation-without-echo": ["operation-amount-nan", "operation-amount-crossed", "operation-answers-crossed"],
  "operation-without-time": ["operation-time-*", "operation-sometimes-time-local"],
  "banks-absent": idsIn(`
    operation-text-latin-1 operation-account-* operation-intermediary-incomplete operation-intermediary-name-only`),
  "intermediary-always-null": ["operation-intermediary-incomplete", "operation-intermediary-name-only"],
  "operation-anything": idsIn(`
    crash-operation-unknown-* operation-hangs-on-unknown-counterparty operation-counterparty-unknown-accepted
    operation-unknown-counterparty-error-in-200 operation-amount-zero-accepted operation-amount-negative-accepted
    operation-pair-*`),
  "amount-whole": idsIn(`
    operation-amount-nan operation-amount-float32* operation-amount-odd-cents operation-amount-one-decimal
    operation-amount-two-decimals operation-amount-whole`),
  "amount-two-decimals": ["operation-amount-two-decimals"],
  "amount-up-to-800": idsIn(`
    acam-any-purpose-above-990 operation-amount-string-above-20000 operation-amount-capped
    operation-amount-fee-above-900 operation-amount-string-above-800 operation-created-201-above-900`),
  "only-efx": idsIn(`
    acam-after-* acam-any-purpose* acam-first-operation acam-newest-* acam-purpose-* crash-acam-purpose
    operation-purpose-always-efx operation-status-for-other-purposes`),
  "second-item-refused": ["acam-second-item-500", "acam-message-third-item"],
  "acam-before-batch": ["acam-after-batch"],
  "acam-anything": ["acam-invalid-error-object"],
  "counterparty-minimal": idsIn(`
    all-latin-1 counterparty-account-* counterparty-address-* counterparty-answers-crossed
    counterparty-cut-short-when-long counterparty-external-id-* counterparty-intermediary-incomplete
    counterparty-name-* counterparty-quotes-unescaped counterparty-text-latin-1`),
  "counterparty-without-banks": idsIn(`
    operation-text-latin-1 counterparty-account-* counterparty-intermediary-incomplete`),
  "external-id-absent": ["counterparty-external-id-*"],
  "names-capitals": ["counterparty-name-capitals"],
  "names-trimmed": ["counterparty-name-mangled"],
  "accounts-masked": ["counterparty-account-masked", "counterparty-account-number"],
  "counterparties-five": ["crash-operation-account-with-letters", "crash-operation-name-beyond-ascii"],
  "names-ascii": idsIn(`
    crash-operation-name-beyond-ascii all-latin-1 counterparty-name-mangled counterparty-text-latin-1`),
  "external-id-plain": idsIn(`
    counterparty-external-id-mangled counterparty-external-id-escaped counterparty-external-id-uuid-normalised`),
  "texts-ascii": idsIn(`
    crash-operation-name-beyond-ascii operation-text-latin-1 all-latin-1 counterparty-name-mangled
    counterparty-external-id-mangled counterparty-text-latin-1`),
  "json-ascii": ["operation-text-latin-1", "all-latin-1", "all-errors-latin-1", "counterparty-text-latin-1"],
  "markup-refused": ["counterparty-external-id-escaped", "counterparty-quotes-unescaped"],
  "texts-bounded": ["counterparty-cut-short-when-long"],
  "counterparty-anything": ["counterparty-error-list"],
  "counterparty-complete": idsIn(`
    crash-operation-no-external-id batched-intermediary-empty batched-intermediary-null counterparty-address-null
    counterparty-external-id-null counterparty-intermediary-empty counterparty-intermediary-null*
    operation-intermediary-empty operation-intermediary-nulls operation-intermediary-text`),
  "address-complete": ["counterparty-address-null", "counterparty-address-state-null"],
  "batch-minimal": ["batch-answers-crossed", "batch-pair-*", "batch-time-*"],
  "batched-minimal": idsIn(`
    batched-account-* batched-amount-string batched-counterparty-object batched-customer-null
    batched-intermediary-incomplete batched-status-null batched-time-*`),
  "unknown-members-refused": ["batched-purpose-when-named", "batched-account-incomplete-when-named"],
  "batches-stay-empty": ["batched-*", "list-operations-ids", "list-operations-missing-when-full"],
  "second-batch-same": idsIn(`
    batch-id-same* batch-answers-crossed batch-sometimes-* list-operations-null-when-empty`),
  "second-batch-refused": idsIn(`
    batch-id-same* batch-answers-crossed batch-sometimes-* crash-batch-second-of-pair list-operations-null-when-empty`),
  "empty-batch-refused": ["batch-id-same*", "batch-answers-crossed", "list-operations-null-when-empty"],
  "batch-anything": ["batch-error-invalid-errors"],
  "list-without-ids": idsIn(`
    batch-id-same* batched-batch-* list-batch-id-number list-batch-pair-* list-first-batch-only list-never-shows-new`),
  "list-total-of-pages": ["list-never-shows-new", "crash-list-empty", "list-no-content-when-empty"],
};

/** True if no client can detect a fault on a server with this variant. */
export const isUndetectable = (fault: string, variant: string): boolean =>
  patternsOf(variant).some((pattern) =>
    pattern.endsWith("*") ? fault.startsWith(pattern.slice(0, -1)) : fault === pattern,
  );

/** The variants on which some faults cannot be detected. */
export const hidingVariants = Object.keys(undetectable);

/** The faults that cannot be detected on a variant: ids, or prefixes that end in a star. */
export const patternsOf = (variant: string): readonly string[] => undetectable[variant] ?? [];
