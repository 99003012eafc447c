import { memberOf } from "../../spec/json.ts";
import { listedBatch } from "../batches/create/listed.scenario.ts";
import { areRandom, cannotCoincide, Inconclusive, scenario, unknownLike, withLettersBehind } from "../kit/index.ts";
import type { Change, Operation, OperationData } from "../kit/index.ts";

// ACAM items are for operations whose purpose is EFX, and for those alone (specification, Endpoints, 4; INT-23).
//
// `otherPurpose` gives a purpose that is not EFX and that this server was seen to accept (INT-36): one of --other-purposes,
// else IMPORT, EXPORT or SERVICES. If none was accepted, it ends the scenario: its requirements are then inconclusive, with
// the words of the last refusal and the advice to name a purpose.

/** The change to an item: no other body, but the operation for which it is. */
const notEfx = ({ purpose }: { readonly purpose: string }, which = ""): Change => ({
  what: `for an operation with the purpose ${purpose}${which}`,
  case: "an operation that is not EFX",
});

const unknownOperation = scenario({
  id: "acam/purpose/unknown-operation",
  title: "an ACAM item for an operation that does not exist",
  checks: ["ACAM-04"],
  after: [listedBatch],
  run: async ({ add, attempt, create, earlierOperation, itemFor, makeBatch, ...context }) => {
    const { refused, register, runId, send, together } = context;
    const counterparty = await register();
    // One operation is enough: the other, and a batch, show whether ids of this server are random.
    const [first, other, batch] = await together([
      attempt(create({ counterparty })),
      attempt(create({ counterparty })),
      makeBatch(),
    ]);
    const created = first ?? other;
    // The control: the endpoint accepts an item like these, so a refusal is about the operation. If no more operations are
    // accepted, an earlier one names the shape of ids, and an earlier item is the control.
    if (created !== undefined) await add(created);
    const operation = created ?? earlierOperation();
    if (operation === undefined)
      throw new Inconclusive("no operation could be created, so no id differs from a known one");
    const { id: known, amount } = operation;
    const ids = [known, other?.id ?? known] as const;
    const unknown = [
      `nothing-${runId}`,
      `nothing-${runId}'--`,
      `nothing.${runId}`,
      "00000000-0000-4000-8000-000000000000",
      "nothing".repeat(30),
      "null",
      "undefined",
      // Where ids are numbers, an operation may have it (INT-39).
      ...(/^\d+$/.test(known) ? [] : ["0"]),
      "constructor",
      withLettersBehind(known),
      // Of random ids, no operation has one that is like a known one, or a part of it.
      ...(areRandom(...ids) ? [unknownLike(known), known.slice(0, -4), known.slice(4)] : []),
      // The ids of a counterparty and a batch, where no operation can have them.
      ...[counterparty.id, ...(batch === undefined ? [] : [batch.id])].filter((id) => cannotCoincide(ids, id)),
    ];
    const item = (id: string, members = {}) => itemFor({ id, amount, at: 0 }, members);
    await together([
      send(item(`nothing [${runId}] 100%`), oddInPath),
      // The operation in the path counts.
      refused(item(`nothing-${runId}`, { operation_id: known }), namedInBody, "ACAM-04"),
      ...unknown.map((id) => refused(item(id), doesNotExist, "ACAM-04")),
    ]);
    await refused(item(`nothing-${runId}`), { what: "for an operation that did not exist before either" }, "ACAM-04");
  },
});

const doesNotExist: Change = {
  what: "for an operation that does not exist",
  case: "an operation that does not exist",
};

const namedInBody: Change = { ...doesNotExist, what: "for an operation that does not exist, with another in its body" };

/** HTTP servers refuse it by themselves, in whatever form: only a crash or a success is judged (INT-38). */
const oddInPath: Change = {
  what: "for an operation whose id has brackets, a space and a percent sign",
  exemptBy: "INT-38",
};

const other = scenario({
  id: "acam/purpose/other",
  title: "an ACAM item for an operation that is not EFX",
  checks: ["ACAM-03"],
  run: async ({ add, create, itemFor, old, otherPurpose, refused, register, target, together, tryCreate }) => {
    const { purpose, pair } = await otherPurpose();
    const [counterparty, stranger] = await together([register(), register()]);
    // The control: an item like those below is accepted for an EFX operation.
    const efx = await create({ counterparty });
    await add(efx);
    const own = await create({ counterparty, purpose, pair });

    const further = target.otherPurposes.filter((one) => one !== purpose).slice(0, 3);
    const rows: readonly OperationData[] = [
      { counterparty, purpose, pair: target.currencyPairs.findLast((one) => one !== pair) ?? pair },
      ...further.map((one) => ({ counterparty, purpose: one, pair })),
      // A counterparty without an EFX operation, and the largest amount.
      { counterparty: stranger, purpose, pair, amount: target.amount.max },
    ];
    const refusedFor = async (row: OperationData): Promise<void> => {
      // Only one purpose is known to be accepted, with one pair: the server may refuse these.
      const operation = await tryCreate(row);
      if (operation !== undefined) await refused(itemFor(operation), notEfx(operation), "ACAM-03");
    };
    /** Now, and again when the operation is older and the item another one. */
    const refusedTwice = async (): Promise<void> => {
      await refused(itemFor(own), notEfx(own), "ACAM-03");
      await old(own);
      await refused(itemFor(own, { local_currency_amount: target.amount.min }), notEfx(own), "ACAM-03");
    };
    /** What an item says of an operation does not count: the one in the path does. */
    const saysEfx = { operation_id: efx.id, operation_purpose: "EFX" };
    await together([
      refusedTwice(),
      refused(itemFor(own, saysEfx), notEfx(own, ", with another operation and purpose in its body"), "ACAM-03"),
      ...rows.map(refusedFor),
    ]);
  },
});

const accepted = scenario({
  id: "acam/purpose/accepted",
  title: "an ACAM item for an operation with an unknown purpose that the server accepted",
  checks: ["ACAM-03"],
  // It sends no valid item.
  needs: ["createCounterparty"],
  run: async ({ itemFor, refused, registered, target, together, tryCreate }) => {
    const counterparty = await registered();
    const others = likelyPurposes.filter((purpose) => !target.otherPurposes.includes(purpose));
    await together(
      ["NON-EFX", "EFXTRA", "EF", ...others].map(async (purpose) => {
        const operation = await tryCreate({ counterparty, purpose }, `with the purpose ${purpose}`);
        // Only a purpose that comes back as it was sent is certainly another than EFX (INT-36).
        if (operation === undefined || memberOf(operation.exchange.json, "operation_purpose") !== purpose) return;
        await refused(itemFor(operation), notEfx(operation), "ACAM-03");
      }),
    );
  },
});

/** Any of them may be special on a server. Not all need be accepted. */
const likelyPurposes = ["IMPORT", "EXPORT", "SERVICES", "IMPORTS"];

const alike = scenario({
  id: "acam/purpose/alike",
  title: "an old operation that is not EFX, among later EFX operations, some of the same amount",
  checks: ["ACAM-05"],
  run: async ({ add, amount, create, itemFor, otherPurpose, refused, registered, together }) => {
    const { purpose, pair } = await otherPurpose();
    const counterparty = await registered();
    const [control, one, two] = [amount(), amount(), amount()];
    const make = (amount: number, of: string) => create({ counterparty, amount, purpose: of, pair });
    const makeAll = async (): Promise<readonly [before: Operation, after: Operation]> => {
      const before = await make(one, purpose);
      await together([make(one, "EFX"), make(two, "EFX")]);
      const after = await make(two, purpose);
      await together([amount(), amount(), amount()].map((next) => make(next, "EFX")));
      return [before, after];
    };
    const [[before, after]] = await together([makeAll(), make(control, "EFX").then(add)]);
    await together([
      refused(itemFor(before), notEfx(before, ", older than others"), "ACAM-05"),
      refused(itemFor(after), notEfx(after, ", like an older one that is EFX"), "ACAM-05"),
    ]);
  },
});

const oldest = scenario({
  id: "acam/purpose/old",
  title: "the oldest operation that is not EFX, and the youngest, when all else was sent",
  checks: ["ACAM-05"],
  needs: ["createOperation"],
  run: async ({ itemFor, old, otherPurpose, refused, send, target, together, tryCreate }) => {
    const { purpose, pair, counterparty, first, efxBefore } = await otherPurpose();
    const ofFirst = notEfx({ purpose }, ", older than all others");
    const ofYoung = notEfx({ purpose }, ", just created");
    const sendYoung = async () => {
      const young = await tryCreate({ counterparty, amount: target.amount.min, purpose, pair });
      // An item that comes at once may be too early for the server, and is refused in any case.
      if (young !== undefined) await refused(itemFor({ ...young, at: 0 }), ofYoung, "ACAM-05");
    };
    await old(first ?? efxBefore);
    await together([
      sendYoung(),
      first !== undefined && refused(itemFor(first), ofFirst, "ACAM-05"),
      send(itemFor(efxBefore)),
    ]);
  },
});

const path = scenario({
  id: "acam/purpose/path",
  title: "the operation in the path decides, not the newest one",
  checks: ["ACAM-05"],
  run: async ({ add, amount, create, itemFor, otherPurpose, refused, register, together }) => {
    const { purpose, pair } = await otherPurpose();
    const [one, another] = await together([register(), register()]);
    const inOrder = async (rows: readonly OperationData[]): Promise<void> => {
      const made: Operation[] = [];
      for (const row of rows) made.push(await create({ ...row, pair }));
      for (const operation of made)
        if (operation.purpose === purpose) await refused(itemFor(operation), notEfx(operation), "ACAM-05");
        else await add(operation);
    };
    await together([
      inOrder([
        { counterparty: one, purpose: "EFX", amount: amount() },
        { counterparty: one, purpose, amount: amount() },
      ]),
      inOrder([
        { counterparty: another, purpose, amount: amount() },
        { counterparty: another, purpose: "EFX", amount: amount() },
      ]),
    ]);
  },
});

/** The rule that ACAM items are for EFX operations alone. */
export const purpose = [unknownOperation, other, accepted, alike, oldest, path];
