import { answers, anyPurpose, refusalOf, repeated, sent, set } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import { type Answer, type Call, type Change, type Operation } from "../policy.ts";
import { rows, withPairs, withPatience, withPurposes, type Broken, type Facts, type Fault } from "./fault.ts";
import { as, later, member, places, where } from "./member.ts";

const row = rows.addAcamItem;
const { item } = places;
const rule = ["ACAM-03", "ACAM-05"] as const;
const grant = (): Answer => itemAdded;
const in200 = set({ status: 200 });
const inBody = ["ACAM-03", "ACAM-01", "ACAM-02", "ACAM-05"] as const;
const told200 = ["ACAM-04", "ACAM-01", "ACAM-02"] as const;

const taking = (isTaken: (named: Operation, call: Call) => boolean): Change =>
  answers(refusalOf("addAcamItem", "purpose"), (answer, call) => {
    const named = namedIn(call);
    return named !== undefined && isTaken(named, call) ? itemAdded : answer;
  });

const likeEfx =
  (pattern: RegExp): Change =>
  (base) => ({ ...taking(({ purpose }) => pattern.test(purpose))(base), purposes: anyPurpose });

const anyPurposeFor = (
  id: string,
  broken: Broken,
  when: string,
  isTaken: Parameters<typeof taking>[0],
  facts: Facts = withPurposes,
): Fault => row(`any-purpose-${id}`, broken, `${when}, any purpose will do.`, facts).by(taking(isTaken));

const unknown = (id: string, what: string, isTaken: (id: string, call: Call) => boolean): Fault =>
  row(id, "ACAM-04", `${what} accepts items.`).refuses("operation", (answer, call) =>
    isTaken(call.parameter, call) ? itemAdded : answer,
  );

const secondTime: Change = repeated(refusalOf("addAcamItem", "purpose"), ({ parameter }) => parameter, grant);

/** Accepts an item for an unknown id that was sent before. */
const unknownSecondTime: Change = repeated(refusalOf("addAcamItem", "operation"), ({ parameter }) => parameter, grant);

type Choice = (named: Operation, all: readonly Operation[]) => Operation | undefined;

/** A fault that checks the purpose of another operation than the one in the path. */
const judged = (id: string, about: string, other: Choice): Fault =>
  row(id, ["ACAM-05", "ACAM-03"], about, withPurposes).by((base) => ({
    findOperation: (name, call) => {
      const named = base.findOperation(name, call);
      return call.operation === "addAcamItem" && named ? other(named, allIn(call)) : named;
    },
  }));

const allIn = (call: Call): readonly Operation[] => [...call.store.operations.values()];

const ofPayee = (named: Operation, all: readonly Operation[]): readonly Operation[] =>
  all.filter(({ counterparty }) => counterparty.id === named.counterparty.id);

const asEfxInBatch: Choice = (named) => (named.batch === null ? named : { ...named, purpose: "EFX" });

const ofAmount = (named: Operation, all: readonly Operation[]): readonly Operation[] =>
  ofPayee(named, all).filter(({ amount }) => amount === named.amount);

/** Once an operation has an item, accepts items for all operations of its counterparty. */
const afterItem: Change = taking((named, call) => ofPayee(named, allIn(call)).some(({ items }) => items > 0));

const namedIn = (call: Call): Operation | undefined => call.store.operations.get(call.parameter);
const isEuro = (call: Call): boolean => namedIn(call)?.pair === "EURBRL";
const itemsOf = (call: Call): number => namedIn(call)?.items ?? 0;
const beginsLikeKnown = (id: string, call: Call): boolean => allIn(call).some((known) => id.startsWith(known.id));
const isPartOfKnown = (id: string, call: Call): boolean =>
  id.length >= 8 && allIn(call).some((it) => it.id.includes(id));
const isUuid = (id: string): boolean => /^(?!0{8})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

const hasNoEfx = (named: Operation, call: Call): boolean =>
  ofPayee(named, allIn(call)).every(({ purpose }) => purpose !== "EFX");
const isPortuguese = ({ headers }: Call): boolean => /^pt\b/.test(headers["accept-language"] ?? "");
const ageOf = (it?: Operation): number => Date.now() - (it?.createdAt.getTime() ?? Infinity);
const isOld = (call: Call): boolean => ageOf(namedIn(call)) > 2000;
const isPart = ({ amount }: Operation, call: Call): boolean => Number(sent(call)["local_currency_amount"]) < amount / 2;
const isBeyondAscii = (call: Call): boolean => /[^\x00-\x7f]/.test(String(sent(call)["merchant"]));

export const acamFaults: readonly Fault[] = [
  ...member(item, "message", { value: "ACAM-01" }, ["missing", "null"], {
    "small-letter": ["is in lower case", as("acam item added successfully")],
    "full-stop": ["ends with a full stop", as("ACAM item added successfully.")],
    padded: ["ends with a space", as("ACAM item added successfully ")],
    translated: ["is in Portuguese", as("Item ACAM adicionado com sucesso")],
    shortened: ["is shortened", as("ACAM item added")],
    later: ["is in the plural from the second one on", later(as("ACAM items added successfully"))],
    "third-item": ["is another one for a third item", where((call) => itemsOf(call) > 2, "Updated")],
    "by-language": [
      "is in Portuguese for Accept-Language: pt",
      where(isPortuguese, "Item ACAM adicionado com sucesso"),
    ],
    late: ["is another one after two seconds", where(isOld, "ACAM item added late"), "value", withPatience],
    "beyond-ascii": ["is another one for a merchant beyond ASCII", where(isBeyondAscii, "Added")],
  }),
  row("message-error", ["ACAM-01", "ACAM-02"], "A success is { message: error }.").shows(() => ({ message: "error" })),
  ...member(item, "status", { value: "ACAM-02" }, ["missing", "upper-case"], {
    capital: ["begins with a capital letter", as("Success")],
    ok: ["is ok", as("ok")],
    true: ["is true", as(true)],
    code: ["is 200", as(200)],
    "of-second-pair": ["is in upper case for EURBRL", where(isEuro, "SUCCESS"), "value", withPairs],
  }),

  row("any-purpose", rule, "Operations of any purpose accept items.", withPurposes).refuses("purpose", grant),
  row("purpose-refused-with-200", inBody, "A purpose besides EFX gets a 200.", withPurposes).refuses("purpose", in200),
  row("any-purpose-second-time", "ACAM-03", "A refused item is accepted the second time.", withPurposes).by(secondTime),
  anyPurposeFor("above-500", rule, "Above 500", (it) => it.amount > 500),
  anyPurposeFor("above-990", "ACAM-03", "Above 990", (it) => it.amount > 990),
  anyPurposeFor("at-once", ["ACAM-05", "ACAM-03"], "Until another is created", (it, call) => allIn(call).at(-1) === it),
  anyPurposeFor("after-two-seconds", rule, "Two seconds after its creation", (it) => ageOf(it) > 2000, {
    needs: { ...withPurposes.needs, ...withPatience.needs },
  }),
  anyPurposeFor("for-parts", "ACAM-03", "Below half the amount", isPart),
  anyPurposeFor("without-efx", "ACAM-03", "Without an EFX operation", hasNoEfx),
  row("purpose-by-beginning", "ACAM-03", "A purpose that begins with EFX is EFX.").by(likeEfx(/^EFX/)),
  row("purpose-by-end", "ACAM-03", "A purpose that ends with EFX is EFX.").by(likeEfx(/EFX$/)),

  row("unknown-operation-200", told200, "An unknown operation gets a 200.").refuses("operation", in200),
  row("unknown-operation-second-time", "ACAM-04", "An unknown id is accepted the second time.").by(unknownSecondTime),
  unknown("unknown-operation", "Any id", () => true),
  unknown("unknown-operation-of-own-shape", "An id that is any UUID", isUuid),
  unknown("property-for-operation", "An id that is a property of an object", (id) => id in Object.prototype),
  unknown("counterparty-for-operation", "The id of a counterparty", (id, { store }) => store.counterparties.has(id)),
  unknown("batch-for-operation", "The id of a batch", (id, { store }) => store.batches.some((it) => it.id === id)),
  unknown("id-cut", "Eight characters of an operation's id", isPartOfKnown),
  unknown("id-by-beginning", "The id of an operation with more characters", beginsLikeKnown),

  judged("newest-operation", "The purpose is that of the newest operation.", (_named, all) => all.at(-1)),
  judged("first-operation", "The purpose is that of the payee's first one.", (it, all) => ofPayee(it, all)[0]),
  judged("newest-of-counterparty", "The purpose is that of a payee's last one.", (it, all) => ofPayee(it, all).at(-1)),
  judged("first-of-amount", "The purpose is that of the first of this amount.", (it, all) => ofAmount(it, all)[0]),
  judged("last-of-amount", "The purpose is that of the last of this amount.", (it, all) => ofAmount(it, all).at(-1)),
  judged("after-batch", "An operation in a batch accepts items for any purpose.", asEfxInBatch),
  row("after-item", ["ACAM-05", "ACAM-03"], "After an item, the payee needs no purpose.", withPurposes).by(afterItem),
];
