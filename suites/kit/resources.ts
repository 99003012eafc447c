import { defined } from "../../model/defined.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { unusual } from "../../model/request.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { listRequest } from "../../harness/sending/credentials.ts";
import { firstPair } from "../resources/amounts.ts";
import type { Request } from "./changes.ts";
import { orNothing } from "../../harness/errors.ts";
import { seedFor, type ScenarioCore } from "../run/context.ts";
import { batchRequest, validBatch } from "../resources/batches.ts";
import { freshCounterparty, registerCounterparty } from "../resources/counterparties.ts";
import {
  addItem,
  createOperation,
  itemBody,
  otherPurpose,
  partOf,
} from "../resources/operations.ts";
import {
  counterpartyRequest,
  itemRequest,
  operationBody,
  operationRequest,
} from "../resources/requests.ts";
import { created, createdId, type Created, type OperationBody } from "../run/target-knowledge.ts";

type Members = Readonly<Record<string, Json>>;

/**
 * What an item must know of its operation. `at`: when the operation was created, in milliseconds
 * since 1970.
 */
export interface KnownOperation {
  readonly id: string;
  readonly amount: number;
  readonly at: number;
}

export interface Operation extends Created, KnownOperation {
  readonly purpose: string;
}

/** Returns the resource that a request created, or undefined if the response has no id of one. */
export function createdIn(exchange: Exchange): Created | undefined {
  return createdId(exchange) === undefined ? undefined : created(exchange);
}

/** Returns the operation that a request created, or undefined if the response has no id of one. */
export function operationIn(exchange: Exchange): Operation | undefined {
  return createdId(exchange) === undefined ? undefined : operationOf(created(exchange));
}

/** A counterparty, and the first operation that was created for it. */
export interface Payee extends Created {
  readonly operation: Operation;
}

/** The values with which an operation is created. */
export interface OperationData {
  /** The payee. `at`: when it was created, in milliseconds since 1970. Absent: long ago. */
  readonly counterparty: { readonly id: string; readonly at?: number };
  /** The amount. @defaultValue the next ordinary amount */
  readonly amount?: number;
  /** The purpose. @defaultValue EFX, which ACAM items need */
  readonly purpose?: string;
  /** The pair. @defaultValue the first configured pair */
  readonly pair?: string;
}

/** A valid request that creates an operation. Scenarios change its body. */
export interface Control extends Request {
  readonly body: OperationBody;
}

/**
 * Verbs that create a resource. They throw Inconclusive if the target refuses, except those that
 * return undefined in that case. `amount` gives the next ordinary amount of the scenario.
 */
export function creatingOf(core: ScenarioCore, amount: () => number) {
  const { operationFor } = requestsOf(core, amount);
  let drawn = 0;
  const register = (): Promise<Created> => registerCounterparty(core, drawn++);
  const create = async (data: OperationData): Promise<Operation> =>
    operationOf(await createOperation(core, completed(data, amount)));
  const urgent = urgently(core);
  const payee = (): Promise<Payee> =>
    core.knowledge.once("payee of all", async () => {
      const counterparty = await sharedCounterparty(core);
      const made = await createOperation(urgent, completed({ counterparty }, amount));
      return { ...counterparty, operation: operationOf(made) };
    });
  const payeeWithItem = (): Promise<Payee> =>
    core.knowledge.once("payee with an item", async () => {
      const made = await payee();
      await addItem(urgent, made.operation.id, made.operation.amount);
      return made;
    });
  return {
    /** Registers a counterparty. The nth call draws the nth body, the same in every run. */
    register,
    /** Creates an operation. */
    create,
    /** A counterparty that all scenarios of a run share, so that they can send others like it. */
    registered: () => core.knowledge.once("counterparty of all", () => sharedCounterparty(core)),
    /** A counterparty that all scenarios share for their operations. */
    payee,
    /**
     * A counterparty that can still get an operation: `payee`, or a new one where the target takes
     * one operation for each, so that a refusal is about the request.
     */
    servingPayee: async (): Promise<Created> => {
      const shared = await payee();
      return core.knowledge.payeesServeOnce === true ? freshCounterparty(core) : shared;
    },
    /** The same as `payee`, after its first operation got an item: the control of other items. */
    payeeWithItem,
    /** Whether the target accepts a second item for the operation of `payeeWithItem`. */
    takesSecondItem: () =>
      core.knowledge.once("second item", async () => {
        const { operation } = await payeeWithItem();
        const item = itemBody(core, partOf(core, operation.amount, 1), 1);
        const intent = unusual("as a second item of one operation");
        const exchange = await core.send({ ...itemRequest(operation.id, item), intent });
        core.answered("OPEN-30", "a second item of one operation", exchange);
        return isSuccess(exchange);
      }),
    /**
     * Creates an operation with values that the target may refuse. Returns undefined if the target
     * creates none. `odd`: what is odd about the values, in words that follow "a request".
     */
    tryCreate: async (data: OperationData, odd?: string): Promise<Operation | undefined> => {
      const request = operationFor(data);
      const exchange = await core.send(
        odd === undefined ? request : { ...request, intent: unusual(odd) },
      );
      return operationIn(exchange);
    },
    /** Adds an item for the whole amount of an operation. */
    add: (operation: Operation) => addItem(core, operation.id, operation.amount),
    /** Creates a batch. Undefined if the target refuses it. */
    makeBatch: async (): Promise<Created | undefined> => {
      const exchange = await orNothing(validBatch(core, firstPair(core)).then(core.send));
      return exchange && createdIn(exchange);
    },
    /**
     * The first purpose of `--other-purposes`, or else of IMPORT, EXPORT and SERVICES, that this
     * target was seen to accept (INT-36).
     */
    otherPurpose: () => otherPurpose(core),
    /**
     * Returns the EFX operation that the run created last, which may have an item, or undefined if
     * there is none. It is for when the server accepts no further operation.
     */
    earlierOperation: (): KnownOperation | undefined => {
      const { lastOperation: id } = core.knowledge;
      return id === undefined ? undefined : { id, amount: amount(), at: 0 };
    },
    /**
     * A valid request for an operation, which scenarios change so that it must be refused. Where
     * such a refusal is in doubt, the sender sends the request without the change.
     */
    controlOperation: () =>
      core.knowledge.once("control", async (): Promise<Control> => {
        const counterparty = await register();
        const control = () => operationFor({ counterparty });
        return { ...control(), again: control };
      }),
  };
}

/** Verbs that make a valid request for a resource. */
export function requestsOf(core: ScenarioCore, amount: () => number) {
  return {
    listRequest,
    operationFor: (data: OperationData): Control => {
      const body = operationBody(core, completed(data, amount));
      return { ...operationRequest(body), body, ...defined({ since: data.counterparty.at }) };
    },
    /** A request for a counterparty with the data of another one, except for what must be unique. */
    counterpartyLike: ({ body }: Created): Request => counterpartyRequest(core, body),
    /**
     * A request for an item for the whole amount of an operation. It is sent once the target knows
     * the operation.
     */
    itemFor: ({ id, amount: whole, at }: KnownOperation, members: Members = {}): Request => ({
      ...itemRequest(id, { ...itemBody(core, whole), ...members }),
      since: at,
    }),
    /**
     * A request for an item for a drawn part of the operation's amount. `nth`: how many items the
     * operation has got before, so that this one differs.
     */
    partialItemFor: ({ id, amount: whole, at }: KnownOperation, nth = 0): Request => ({
      ...itemRequest(id, itemBody(core, partOf(core, whole, nth), nth)),
      since: at,
    }),
    batchFor: (pair = firstPair(core)): Promise<Request> => validBatch(core, pair),
    /**
     * Returns a request with the body of the last batch, for when the server accepts no further
     * operation to put into one. The body may name an operation that is in a batch already.
     */
    earlierBatch: (): Request | undefined => {
      const { lastBatchBody: body } = core.knowledge;
      return body === undefined ? undefined : batchRequest(body);
    },
  };
}

function completed({ counterparty, ...data }: OperationData, amount: () => number) {
  return {
    amount: data.amount ?? amount(),
    ...data,
    counterparty: counterparty.id,
  };
}

/** A counterparty whose body is the same whichever scenario asks for it first. */
async function sharedCounterparty(core: ScenarioCore): Promise<Created> {
  return registerCounterparty({ ...urgently(core), id: "shared", seed: seedFor(0, "shared") }, 0);
}

/**
 * The same core, but its requests go first: several scenarios wait for what they create, and a
 * server may limit how much is created.
 */
function urgently(core: ScenarioCore): ScenarioCore {
  return {
    ...core,
    send: (spec) => core.send({ ...spec, isUrgent: true }),
    succeed: (spec) => core.succeed({ ...spec, isUrgent: true }),
  };
}

function operationOf(made: Created): Operation {
  const { currency_amount: amount, operation_purpose: purpose } = made.body as OperationBody;
  // If the response has the purpose of another operation, its id may be that of the other one.
  const said = memberOf(made.exchange.json, "operation_purpose");
  return { ...made, amount, purpose: said === "EFX" ? said : purpose };
}
