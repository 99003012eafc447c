import type { Exchange } from "../../model/exchange.ts";
import { memberOf } from "../../spec/json.ts";
import {
  Inconclusive,
  operationIn,
  scenario,
  type Change,
  type Operation,
  type OperationData,
} from "../kit/index.ts";

// ACAM items are for operations whose purpose is EFX, and for those alone (specification,
// Endpoints, 4; INT-23).
//
// `otherPurpose` gives a purpose that is not EFX and that this server was seen to accept (INT-36):
// one of --other-purposes, else IMPORT, EXPORT or SERVICES. If the server accepted none of them,
// `otherPurpose` ends the scenario. The requirements of the scenario are then inconclusive, with
// the words of the last refusal and the advice to name a purpose.

/** The server said that the operation is not EFX: items for it must be refused. */
function isOther({ purpose }: { readonly purpose: string }): boolean {
  return purpose !== "EFX";
}

/**
 * Says why an item must be refused although its body is right: the operation in its path is not
 * EFX.
 */
function notEfx({ purpose }: { readonly purpose: string }, which = ""): Change {
  return {
    what: `for an operation with the purpose ${purpose}${which}`,
    case: "an operation that is not EFX",
  };
}

const other = scenario({
  id: "acam/purpose/other",
  title: "an ACAM item for an operation that is not EFX",
  checks: ["ACAM-03"],
  isFirst: true,
  run: async ({
    create,
    itemFor,
    old,
    otherPurpose,
    payeeWithItem,
    refused,
    register,
    target,
    together,
    tryCreate,
  }) => {
    const { purpose, pair, efxBefore } = await otherPurpose();
    // The control: the server accepts such an item for an EFX operation of this counterparty.
    const [counterparty, stranger] = await together([payeeWithItem(), register()]);
    const own = await create({ counterparty, purpose, pair });

    const further = target.otherPurposes.filter((one) => one !== purpose).slice(0, 3);
    const rows: readonly OperationData[] = [
      { counterparty, purpose, pair: target.currencyPairs.findLast((one) => one !== pair) ?? pair },
      ...further.map((one) => ({ counterparty, purpose: one, pair })),
      // An operation with the largest amount, for a counterparty without an EFX operation.
      { counterparty: stranger, purpose, pair, amount: target.amount.max },
    ];
    const refusedFor = async (row: OperationData): Promise<void> => {
      // So far, the server is known to accept only one purpose with one pair: it may refuse these
      // operations.
      const operation = await tryCreate(row);
      if (operation !== undefined && isOther(operation))
        await refused(itemFor(operation), notEfx(operation), "ACAM-03");
    };
    /** Sends an item now, and another one when the operation is older. */
    const refusedTwice = async (): Promise<void> => {
      await refused(itemFor(own), notEfx(own), "ACAM-03");
      await old(own);
      await refused(
        itemFor(own, { local_currency_amount: target.amount.min }),
        notEfx(own),
        "ACAM-03",
      );
    };
    /** What an item says of its operation does not count; the operation in the path does. */
    const saysEfx = { operation_id: efxBefore.id, operation_purpose: "EFX" };
    const what = notEfx(own, ", with another operation and purpose in its body");
    if (!isOther(own))
      throw new Inconclusive(
        `the response to an operation with the purpose ${purpose} says that it is EFX`,
        undefined,
        "createOperation",
      );
    await together([
      refusedTwice(),
      refused(itemFor(own, saysEfx), what, "ACAM-03"),
      ...rows.map(refusedFor),
    ]);
  },
});

const accepted = scenario({
  id: "acam/purpose/accepted",
  title: "an ACAM item for an operation with an unknown purpose that the server accepted",
  checks: ["ACAM-03"],
  run: async ({ itemFor, payeeWithItem, refused, target, together, tryCreate }) => {
    // The control: the server still accepts items.
    const counterparty = await payeeWithItem();
    const others = likelyPurposes.filter((purpose) => !target.otherPurposes.includes(purpose));
    await together(
      ["NON-EFX", "EFXTRA", "EF", ...others].map(async (purpose) => {
        const operation = await tryCreate({ counterparty, purpose }, `with the purpose ${purpose}`);
        // Only a purpose that came back as it was sent is certainly not EFX (INT-36).
        if (
          operation === undefined ||
          memberOf(operation.exchange.json, "operation_purpose") !== purpose
        )
          return;
        await refused(itemFor(operation), notEfx(operation), "ACAM-03");
      }),
    );
  },
});

/** Purposes that a server may treat specially. It may also refuse some or all of them. */
const likelyPurposes = ["IMPORT", "EXPORT", "SERVICES", "IMPORTS"];

const alike = scenario({
  id: "acam/purpose/alike",
  title: "an old operation that is not EFX, among later EFX operations, some of the same amount",
  checks: ["ACAM-05"],
  isFirst: true,
  run: async ({ amount, create, itemFor, otherPurpose, payeeWithItem, refused, together }) => {
    const { purpose, pair } = await otherPurpose();
    const counterparty = await payeeWithItem();
    const one = amount();
    const two = amount();
    const make = (amount: number, of: string) =>
      create({ counterparty, amount, purpose: of, pair });
    const before = await make(one, purpose);
    await together([make(one, "EFX"), make(two, "EFX")]);
    const after = await make(two, purpose);
    await together(
      [
        [before, ", older than others"] as const,
        [after, ", like an older one that is EFX"] as const,
      ].flatMap(([one, which]) =>
        isOther(one) ? [refused(itemFor(one), notEfx(one, which), "ACAM-05")] : [],
      ),
    );
  },
});

const oldest = scenario({
  id: "acam/purpose/old",
  title: "the oldest operation that is not EFX, when all else was sent",
  checks: ["ACAM-05"],
  run: async ({ itemFor, old, otherPurpose, payeeWithItem, refused, send, together }) => {
    const { purpose, first, efxBefore } = await otherPurpose();
    await payeeWithItem();
    const ofFirst = notEfx({ purpose }, ", older than all others");
    await old(first ?? efxBefore);
    await together([
      first !== undefined && refused(itemFor(first), ofFirst, "ACAM-05"),
      send(itemFor(efxBefore)),
    ]);
  },
});

const youngest = scenario({
  id: "acam/purpose/young",
  title: "the youngest operation that is not EFX, while nearly nothing else is sent",
  checks: ["ACAM-05"],
  phase: "end",
  run: async ({ itemFor, operationFor, otherPurpose, payeeWithItem, refused, send, target }) => {
    const { purpose, pair, counterparty } = await otherPurpose();
    await payeeWithItem();
    const amount = target.amount.min;
    const request = operationFor({ counterparty, amount, purpose, pair });
    const young = operationIn(await send(request));
    // No other item comes between the operation and its item, and the item is sent at once
    // (`at: 0`), even if the server may not know the operation yet. It must be refused in any case,
    // because the operation is not EFX.
    if (young !== undefined && isOther(young))
      await refused(itemFor({ ...young, at: 0 }), notEfx({ purpose }, ", just created"), "ACAM-05");
  },
});

const path = scenario({
  id: "acam/purpose/path",
  title: "the operation in the path decides, not the newest one",
  checks: ["ACAM-05"],
  isFirst: true,
  run: async ({ add, amount, create, itemFor, otherPurpose, payeeWithItem, ...context }) => {
    const { refused, register, together } = context;
    const { purpose, pair } = await otherPurpose();
    await payeeWithItem();
    const [one, another] = await together([register(), register()]);
    const accepted: Exchange[] = [];
    const inOrder = async (rows: readonly OperationData[]): Promise<readonly Operation[]> => {
      const made: Operation[] = [];
      for (const row of rows) made.push(await create({ ...row, pair }));
      for (const operation of made)
        if (operation.purpose === purpose)
          await refused(itemFor(operation), notEfx(operation), "ACAM-05");
        else accepted.push(await add(operation));
      return made;
    };
    const [[, last]] = await together([
      inOrder([
        { counterparty: one, purpose: "EFX", amount: amount() },
        { counterparty: one, purpose, amount: amount() },
      ]),
      inOrder([
        { counterparty: another, purpose, amount: amount() },
        { counterparty: another, purpose: "EFX", amount: amount() },
      ]),
    ]);
    const known = accepted[0]?.request.json;
    const which = ", with an item that an EFX operation accepted";
    if (last !== undefined && isOther(last) && known !== undefined)
      await refused({ ...itemFor(last), body: known }, notEfx(last, which), "ACAM-05");
  },
});

/** The scenarios for the rule that ACAM items are for EFX operations alone. */
export const purpose = [other, accepted, alike, oldest, path, youngest];
