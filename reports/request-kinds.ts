import { inputKindOf } from "../spec/refusals.ts";
import { operations, operationTitle } from "../spec/operations.ts";
import type { CauseMember } from "../model/conclusion/causes.ts";
import type { Cause, Finding, RecordedExchange } from "../model/run.ts";

/** The exchanges of a run, by their ids. */
export type Exchanges = ReadonlyMap<number, RecordedExchange>;

/**
 * The request of a finding in words: `POST /batches, valid`. An id in its path stands there as it was
 * sent if it has characters besides letters, digits, hyphens and underscores, as many frameworks
 * take these apart. Empty if the operation is not known.
 */
export function requestText(finding: Finding, exchanges: Exchanges): string {
  const { operation, sent } = finding;
  if (operation === undefined) return "";
  const exchange = exchanges.get(finding.exchange ?? -1);
  const intent = exchange?.intent ?? sent;
  const title = (exchange && titleWithOddId(exchange)) ?? operationTitle(operation);
  return intent === undefined ? title : `${title}, ${intent}`;
}

/** The method and the path of a request with the odd id in it. Undefined if no id is odd. */
function titleWithOddId({ operation, request }: RecordedExchange): string | undefined {
  const [start = "", end] = operations[operation].path.split(/\{\w+\}/);
  const [path = ""] = request.url.split("?");
  const at = path.lastIndexOf(start);
  if (end === undefined || at === -1 || !path.endsWith(end)) return undefined;
  const id = path.slice(at + start.length, path.length - end.length);
  return /^[\w-]*$/.test(id) ? undefined : `${request.method} ${start}${id}${end}`;
}

/**
 * What else the requests of a mistake are, in words, one for each kind that neither the title of
 * the mistake nor its example names: a server that is mended for one kind may still make the
 * mistake with another.
 */
export function otherKinds(
  cause: Cause,
  members: readonly CauseMember[],
  exchanges: Exchanges,
): readonly string[] {
  const kindOf = kinds[cause.mistake.kind];
  const [example] = members;
  if (kindOf === undefined || example === undefined) return [];
  const isAll = cause.responses !== undefined && cause.responses.affected === cause.responses.of;
  if (isAll && credentials.has(cause.mistake.of)) return [];
  const keyOf = (member: CauseMember): string =>
    kindOf(member, requestText(member.finding, exchanges).replace(/^[^,]*, /, ""));
  const firsts = new Map(members.toReversed().map((member) => [keyOf(member), member]));
  firsts.delete(keyOf(example));
  const own = requestText(example.finding, exchanges);
  const start = own.replace(/: .*/s, ": ");
  const texts = [...firsts.values()].toReversed().map(({ finding }) => {
    const text = requestText(finding, exchanges);
    if (text === own) return "";
    return text.startsWith(start) && text !== start ? text.slice(start.length) : text;
  });
  return [...new Set(texts)].filter((text) => text !== "" && !cause.text.includes(text));
}

/** Mistakes whose titles say so if every request shows them. */
const credentials: ReadonlySet<string> = new Set(["tokens", "keys"]);

/** For the mistakes that hang on what was sent: the kind of the request of a finding. */
const kinds: Readonly<
  Partial<Record<Cause["mistake"]["kind"], (member: CauseMember, intent: string) => string>>
> = {
  accepted: ({ row }) => row.id,
  refusal: ({ row }) => inputKindOf(row.id) ?? row.id,
  crash: (_, intent) => intent,
};
