import { STATUS_CODES } from "node:http";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operations, operationTitle, type OperationName } from "../../spec/operations.ts";
import { inputKinds, memberRefusals } from "../../spec/refusals.ts";
import { notFinite, type Cause, type Finding, type Mistake, type Share } from "../run.ts";
import { rounded, toldAs, together, type WrongBody } from "../mistake.ts";
import { listed, plural } from "../plural.ts";

/** The data from which `mistakeText` makes the sentence about a mistake. */
export interface ToldMistake {
  /** The plainest finding of the mistake. */
  readonly finding: Finding;
  /** The names of the wrong members, each once: the last parts of the pointers of all findings. */
  readonly members: readonly string[];
  /**
   * The names of the members that hold the wrong members, each once. Empty if the body or an
   * element of a list holds them.
   */
  readonly parents: readonly string[];
  /** The operations at which the mistake shows, and all operations that could show it. */
  readonly operations: readonly OperationName[];
  readonly possible: readonly OperationName[];
  readonly share?: Share | undefined;
  readonly common?: string | undefined;
  /** How long the affected requests waited for others, and for which, in words. */
  readonly waited?: string | undefined;
  /** What makes the affected requests invalid or unusual, each once, in words. */
  readonly changes?: readonly string[];
  /** The requirements that the mistake breaks. */
  readonly requirements?: readonly RequirementId[];
  /** Whether none of the affected requests has an Authorization header. */
  readonly isWithoutToken?: boolean;
}

/**
 * A mistake in words: what is wrong, where, how often and in what, such as `Errors have no string
 * message, everywhere: 212 of 212 refusals`.
 */
export function mistakeText(told: ToldMistake): string {
  const { finding, share, common } = told;
  const mistake = toldAs(finding);
  const what = titles[mistake.kind](mistake, told);
  const where = whereText(mistake, told);
  const often =
    share === undefined ? "" : `: ${share.affected} of ${plural(share.of, ...nounOf(told))}`;
  const isNew = share !== undefined && common !== undefined && !what.includes(common);
  const which = isNew ? `, those ${common}` : "";
  return `${what}${where === "" ? "" : `, ${where}`}${often}${which}`;
}

/** Whether several operations could show a mistake, and all of them do. */
export function isEverywhere({
  operations: shownAt,
  possible,
}: Pick<ToldMistake, "operations" | "possible">): boolean {
  return possible.length > 1 && possible.every((operation) => shownAt.includes(operation));
}

type Title = (mistake: Mistake, told: ToldMistake) => string;

/** The message of the plainest finding, for mistakes that have no words of their own. */
const asFound: Title = (_, { finding }) => finding.message.replace(/\.$/, "");

const titles: Readonly<Record<Mistake["kind"], Title>> = {
  type: ({ of, expected, actual }, told) => {
    if (of === "ids") return `Ids are numbers, must be strings: ${told.members.join(", ")}`;
    return actual === "a time without a zone"
      ? "Times have no zone"
      : `${placed(of, told)} is ${actual}, must be ${expected}`;
  },
  null: (_, { members }) =>
    `${listed(members)} ${members.length === 1 ? "is" : "are"} null, must be left out`,
  missing: ({ of }, told) =>
    told.members.length > 1
      ? `${placed(listed(told.members), told)} are missing`
      : `${placed(of, told)} is missing`,
  value: ({ of, expected }) =>
    expected === "absent"
      ? `${subject(of)} must be absent`
      : `${subject(of)} is not ${expected.replace(/^= /, "")}`,
  echo: ({ of, actual }) => {
    if (actual === "left out") return `${subject(of)} does not come back`;
    if (actual !== rounded) return `${subject(of)} does not come back as sent`;
    return of === "foreign_currency_amount"
      ? "An amount comes back rounded"
      : `${subject(of)} comes back rounded`;
  },
  spelling: ({ expected, actual }) => `Members are in ${actual}, must be in ${expected}`,
  error: ({ actual }) =>
    actual === "no body" ? "Errors have no body" : "Errors have no string message",
  body: ({ of, actual }, { finding }) => {
    // What is wrong with a coding stands behind the status.
    if (actual === "coding") return sentence(finding.actual.replace(/^status \d+: /, ""));
    return `${bodyNouns[of] ?? "Bodies"} ${bodyTexts[actual as keyof typeof bodyTexts]}`;
  },
  "media type": ({ of, expected, actual }, { finding }) => {
    const declared = actual === "" ? "have no Content-Type" : `are declared as ${actual}`;
    const [, page] = /an HTML page, ("[^"]{1,60}")$/.exec(finding.actual) ?? [];
    const title = page === undefined ? "" : ` (the page ${page})`;
    return `${bodyNouns[of]} ${declared}${title}, must be ${expected}`;
  },
  page: ({ of, actual }) =>
    `${operationTitle(of as OperationName)} answers with an HTML page, ${statusText(actual)}`,
  status: ({ of, expected, actual }) =>
    `A new ${nouns[of as OperationName][0]} is answered with ${actual}, must be ${expected}`,
  refusal: ({ of, expected, actual }, { changes = [] }) => {
    if (of === "any") return `Requests are redirected (${actual}), must be accepted or refused`;
    const what = actual === "404" && expected === "400" ? lookedUp(changes) : undefined;
    return what === undefined
      ? `${refused(of)} is answered with ${actual}, must be ${expected}`
      : `${what}: answered as an unknown id (${actual}), must be ${expected}`;
  },
  accepted: ({ of }, { share, changes = [], requirements = [], isWithoutToken }) => {
    if (of === "an error") return "A success reports a failure";
    const isAll = share?.affected === share?.of;
    const isFew = changes.length > 0 && changes.length <= mostNamed;
    const which = isFew ? ` (${changes.join("; ")})` : "";
    if (of !== "tokens" && of !== "keys")
      return `Requests ${withMembers(of, requirements)} are accepted${isAll ? "" : which}`;
    const isAny = isAll && changes.length > mostNamed;
    const [spelling] = requirements.length === 1 ? requirements : [];
    if (spelling === "AUTH-41")
      return isAll && changes.length > 1
        ? "Any scheme is accepted with a good token"
        : `A scheme is accepted that is not Bearer${which}`;
    if (spelling === "AUTH-42") return "A good token is accepted in the query";
    if (of === "keys")
      return isAny ? "Any API key is accepted" : `A bad API key is accepted${which}`;
    if (isWithoutToken)
      return `A request without a token is accepted${changes.length === 1 ? "" : which}`;
    return isAny
      ? "Any token is accepted, and a request without one"
      : `A bad token is accepted${which}`;
  },
  refused: ({ of }) => `New ${of} are refused`,
  crash: ({ of, actual }, { waited = "" }) =>
    of === together
      ? `Requests in flight together wait for one another and fail (${actual}) ${waited}; alone, as with --concurrency 1, they are answered`
      : `The server crashes (${actual})${onRequests(of)}`,
  silence: ({ of, actual }) =>
    actual === "timeout"
      ? `The server does not answer in time${onRequests(of)}`
      : `The server closes the connection without a response${onRequests(of)}`,
  "token name": ({ actual }) =>
    `The token has another name: {"${actual}": "…"}, must be {"token": "…"}`,
  "top list": () => "The body is the list itself, must be an object with the list as batches",
  "mixed up": asFound,
  document: asFound,
  other: asFound,
};

/** What is wrong with requests, with the names of the members, if they are few. */
function withMembers(of: string, requirements: readonly RequirementId[]): string {
  const kind = (["omit", "null", "type"] as const).find((one) => inputKinds[one] === of);
  const rows = Object.entries(memberRefusals);
  const names = rows.flatMap(([name, ids]) =>
    kind !== undefined && requirements.includes(ids[kind]) ? [name] : [],
  );
  if (kind === undefined || names.length === 0 || names.length === rows.length) return of;
  const what = { omit: "without", null: "with null for", type: "with another type for" };
  return `${what[kind]} ${listed(names)}`;
}

/**
 * What a server does that takes a value of a wrong type for an id, and finds nothing. Undefined if
 * these changes of requests are about something else, or about several members.
 */
function lookedUp(changes: readonly string[]): string | undefined {
  const [place, ...others] = new Set(changes.map((change) => membersIn(change).join()));
  if (place === undefined || !place.endsWith("_id") || others.length > 0) return undefined;
  const scalars = changes.map((change) =>
    /^with (?:(\d+|true|false) at|.* as a number$)/.exec(change),
  );
  if (scalars.includes(null)) return `${place} is looked up before its type is checked`;
  const taken = scalars.flatMap((found) => found?.[1] ?? []);
  const texts = taken.map((value) => {
    const what = value === "true" || value === "false" ? value : "a number";
    return `${what} is taken for the text "${value}"`;
  });
  return `At ${place}, ${listed(texts)}`;
}

/** The members that the words for a change name: `/name` in `with null at /name`. */
export function membersIn(change: string): readonly string[] {
  return change.match(/(?<=^| )\/[a-z_/]+/g) ?? [];
}

function onRequests(of: string): string {
  if (of === "") return "";
  return of === "now and then" ? " now and then" : ` on requests ${of}`;
}

/**
 * The name of a wrong member, followed by the name of the member that holds it (`id of bank`) if
 * all findings have the same one.
 */
function placed(member: string, { parents }: ToldMistake): string {
  const [parent = "", ...others] = parents;
  return parent === "" || others.length > 0 ? subject(member) : `${member} of ${parent}`;
}

const subject = (member: string): string => (member === "" || member === "*" ? "The body" : member);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const bodyNouns: Readonly<Partial<Record<string, string>>> = {
  success: "Successes",
  error: "Errors",
};

const bodyTexts: Readonly<Record<Exclude<WrongBody, "coding">, string>> = {
  "no body": "have no body",
  "a byte order mark": "begin with a byte order mark, which JSON does not have",
  "gzip without its header": "are coded with gzip, without Content-Encoding: gzip",
  "other bytes": "are not in UTF-8",
  "not well-formed": "are not well-formed JSON",
  [notFinite]: "hold Infinity or NaN, which JSON does not have",
  cut: "end early",
};

/** The resource that an operation creates or shows, as the text names one and many. */
const nouns: Readonly<Record<OperationName, readonly [one: string, many: string]>> = {
  createToken: ["token", "tokens"],
  createCounterparty: ["counterparty", "counterparties"],
  createOperation: ["operation", "operations"],
  addAcamItem: ["ACAM item", "ACAM items"],
  createBatch: ["batch", "batches"],
  listBatches: ["list", "lists"],
};

/** What was refused, as a mistake names it. */
function refused(of: string): string {
  if (of === "keys" || of === "createToken") return "A bad API key";
  return of === "tokens" ? "A bad token" : `An invalid ${nouns[of as OperationName][0]}`;
}

/** A status with its name: `404 Not Found`. */
const statusText = (status: string): string => `${status} ${STATUS_CODES[status] ?? ""}`.trim();

/**
 * Where a mistake shows. Empty if it can show at one operation only, or if the title or the number
 * of responses names the place.
 */
function whereText({ kind }: Mistake, told: ToldMistake): string {
  const { operations: shownAt, possible, share } = told;
  // The message of a finding names its operation, and so may the noun of the responses.
  const isNamed = asFoundKinds.has(kind) || (share !== undefined && nounOf(told).length > 1);
  if (isNamed || possible.length <= 1 || kind === "page" || kind === "status") return "";
  if (shownAt.length === 0) return "";
  // In other responses the same member may be null, so that these places are always named.
  if (isEverywhere(told) && kind !== "null")
    return share === undefined || share.affected === share.of ? "everywhere" : "at every endpoint";
  return memberKinds.has(kind) && shownAt.length > 1
    ? `in ${listed(shownAt.map((operation) => nouns[operation][1]))}`
    : `at ${listed(shownAt.map(operationTitle))}`;
}

const asFoundKinds: ReadonlySet<Mistake["kind"]> = new Set(["mixed up", "document", "other"]);

const memberKinds: ReadonlySet<Mistake["kind"]> = new Set([
  "type",
  "null",
  "missing",
  "value",
  "echo",
  "spelling",
]);

/** The noun for the responses that could show a mistake, such as `batches`. */
function nounOf({ finding, ...told }: ToldMistake): readonly [one: string, many?: string] {
  const { kind, of } = toldAs(finding);
  const isOfErrors = (kind === "body" || kind === "media type") && of === "error";
  if (kind === "error" || isOfErrors) return ["refusal"];
  if (kind === "status") return ["creation"];
  if (["refusal", "refused", "accepted", "crash"].includes(kind)) return ["request"];
  // The number before this noun counts the responses of the operations at which the mistake shows.
  const [only, ...others] = told.operations.length > 0 ? told.operations : told.possible;
  const isOne = only !== undefined && others.length === 0 && !asFoundKinds.has(kind);
  return isOne && operations[only].creates ? nouns[only] : ["response"];
}

/**
 * What a run goes on with after a response that breaks a rule (INT-48), such as `each number as a
 * text`. Undefined for a mistake that leaves nothing to go on with.
 */
export function wentOnWith({ kind, of, actual }: Mistake): string | undefined {
  if (kind === "top list") return "the list as the batches";
  if (kind === "token name") return `the value of ${actual}`;
  return kind === "type" && of === "ids" ? "each number as a text" : undefined;
}

/**
 * The sentence `fxconform went on with the value of access_token, and judged the rest.` Empty if
 * the mistake left nothing to go on with.
 */
export function wentOnText({ wentOn }: Pick<Cause, "wentOn">): string {
  return wentOn === undefined ? "" : `fxconform went on with ${wentOn}, and judged the rest.`;
}

/**
 * The sentence `Until this is mended, 42 requirements have no verdict.` Up to three requirements are named
 * instead of counted. Empty if no requirement waits for the mistake.
 */
export function waitingText(waiting: readonly string[] = []): string {
  if (waiting.length === 0) return "";
  const which =
    waiting.length <= mostNamed ? listed(waiting) : plural(waiting.length, "requirement");
  return `Until this is mended, ${which} ${waiting.length === 1 ? "has" : "have"} no verdict.`;
}

const mostNamed = 3;
