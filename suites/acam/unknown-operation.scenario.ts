import { concurrentBatches } from "../batches/create/concurrent.scenario.ts";
import { listedBatch } from "../batches/create/listed.scenario.ts";
import {
  areRandom,
  cannotCoincide,
  idsNear,
  operationIn,
  scenario,
  unknownLike,
  withLettersBehind,
} from "../kit/index.ts";
import type { Change, Context } from "../kit/index.ts";
import { inputKinds } from "../../spec/refusals.ts";

/** ACAM items are for operations that exist (specification, Endpoints, 4). */
export const unknownOperation = scenario({
  id: "acam/purpose/unknown-operation",
  uses: ["createOperation", "addAcamItem"],
  title: "an ACAM item for an operation that does not exist",
  checks: ["ACAM-04"],
  isFirst: true,
  run: async ({ attempt, create, earlierOperation, itemFor, payeeWithItem, ...context }) => {
    const { isGiven, refused, registered, runId, send, together } = context;
    // The control: the endpoint accepts such an item, so that a refusal is about the operation.
    const control = payeeWithItem();
    const payee = await attempt(control);
    const counterparty = payee ?? (await registered());
    // One new operation is enough: its id and the id of the control's operation show whether this
    // server makes random ids.
    const creation = furtherOperation(context).then((one) => one ?? create({ counterparty }));
    const created = await attempt(creation);
    // If the server accepts no more operations, an earlier operation shows what ids look like, and
    // an earlier item is the control. If there is no earlier operation, the server's refusal is
    // given as the reason for no verdict.
    if (created !== undefined) await control;
    const operation = created ?? earlierOperation() ?? (await creation);
    const { id: known, amount } = operation;
    const ids = [known, payee?.operation.id ?? known] as const;
    const unknown = [
      `nothing-${runId}`,
      `nothing-${runId}'--`,
      `nothing.${runId}`,
      "00000000-0000-4000-8000-000000000000",
      "nothing".repeat(30),
      "null",
      "undefined",
      // If ids are numbers, an operation may have the id 0 (INT-39).
      ...(/^\d+$/.test(known) ? [] : ["0"]),
      "constructor",
      withLettersBehind(known),
      // If ids are random, no operation has an id that resembles a known one or is a part of it.
      ...(areRandom(...ids)
        ? [unknownLike(known), known.slice(0, -4), known.slice(4), ...idsNear(known)]
        : []),
    ];
    const nobodys = [
      ...unknown.filter((id) => !isGiven(id)),
      // If ids of operations cannot be those of counterparties, none has the id of this one.
      ...[counterparty.id].filter((id) => cannotCoincide(ids, id)),
    ];
    const item = (id: string, members = {}) => itemFor({ id, amount, at: 0 }, members);
    await together([
      send(item(`nothing [${runId}] 100%`), oddInPath),
      // The body names an operation that exists, but only the operation in the path counts.
      refused(item(`nothing-${runId}`, { operation_id: known }), namedInBody, "ACAM-04"),
      ...nobodys.map((id) => refused(item(id), doesNotExist, "ACAM-04")),
    ]);
    await refused(
      item(`nothing-${runId}`),
      { what: "for an operation that did not exist before either" },
      "ACAM-04",
    );
  },
});

/** The id of a batch names no operation, if the ids of this server cannot coincide. */
export const batchForOperation = scenario({
  id: "acam/purpose/batch",
  uses: ["createOperation", "addAcamItem", "createBatch"],
  title: "an ACAM item for the id of a batch",
  checks: ["ACAM-04"],
  after: [listedBatch, concurrentBatches],
  isFirst: true,
  run: async ({ earlierOperation, itemFor, makeBatch, payeeWithItem, refused }) => {
    // The control: the endpoint accepts such an item for an operation.
    const { operation } = await payeeWithItem();
    const ids = [operation.id, earlierOperation()?.id ?? operation.id] as const;
    const batch = await makeBatch();
    if (batch !== undefined && cannotCoincide(ids, batch.id))
      await refused(itemFor({ ...operation, id: batch.id, at: 0 }), doesNotExist, "ACAM-04");
  },
});

/** A new operation that the design asks for anyway. Undefined if the target refuses it. */
async function furtherOperation({ further }: Pick<Context, "further">) {
  const [create] = await further("unknown operation", 1);
  return create && operationIn(await create());
}

const doesNotExist: Change = {
  what: "for an operation that does not exist",
  case: "an operation that does not exist",
};

const namedInBody: Change = {
  ...doesNotExist,
  what: "for an operation that does not exist, with another in its body",
};

/**
 * HTTP servers refuse such a path by themselves, with responses of any form. So only a crash or a
 * success is judged (INT-38).
 */
const oddInPath: Change = {
  what: "for an operation whose id has brackets, a space and a percent sign",
  input: inputKinds.unknown,
  exemptBy: "INT-38",
};
