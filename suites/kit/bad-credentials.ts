import { together } from "../run/concurrency.ts";
import type { ScenarioCore } from "../run/context.ts";
import { observing, observingStatus } from "../run/observing.ts";
import { defined } from "../../model/defined.ts";
import {
  invalid,
  valid,
  type Fields,
  type Refusal,
  type RequestSpec,
} from "../../model/request.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle, takesToken } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { inputKinds } from "../../spec/refusals.ts";
import { Inconclusive, orNothing } from "../../harness/errors.ts";
import { listRequest } from "../../harness/sending/credentials.ts";
import { specOf, type Request } from "./changes.ts";

/**
 * A request that is valid except for its credentials. `isAccepted` is false if the server refuses it
 * even with good ones.
 */
export interface Guarded extends Request {
  readonly isAccepted?: boolean;
}

/** Bad credentials. */
export interface BadCredential {
  /** What is wrong with them, in words that follow "a request". */
  readonly what: string;
  /**
   * The requirement that they are refused. Absent if the specification does not say so: then what
   * the server does answers `question`.
   */
  readonly requirement?: RequirementId;
  /** Another requirement that the refusal shows. It is sent if one of the two must be judged. */
  readonly shows?: RequirementId | undefined;
  readonly question?: QuestionId;
  /** Which mistake this is, if the requirement names several. Each of them must be judged. */
  readonly form?: string;
  /** The status of the refusal, if one is stated. */
  readonly status?: 401 | undefined;
  /** The whole header, or null for none. */
  readonly authorization?: string | null;
  /** A token that is none, of the shape of a good one: the same each time it is presented. */
  readonly madeUp?: (good: string) => string;
  /** A bad token that is made from the good one each time it is presented, or the good one itself. */
  readonly token?: ((good: string) => string) | "good";
  /** What makes the bad token of `$TOKEN` in a POSIX shell, for curl commands. */
  readonly inShell?: string;
  /** @defaultValue Bearer */
  readonly scheme?: string;
  /** Makes the query with the token, which then stands in no header. */
  readonly query?: (token: string) => string;
  readonly headers?: Fields;
  /** The key, or null for none, or what is made from the right one. */
  readonly key?: string | null | ((good: string) => string);
  /** Present it right after good ones: a server may remember that it let the client in. */
  readonly isSoonAfterGood?: true;
  /**
   * Present it as the first request of a connection, or right after the same request with good ones
   * on one connection: a server may remember the headers that a connection carried.
   */
  readonly connection?: "fresh" | "used";
  /**
   * HTTP servers refuse such credentials by themselves, with responses of any form. So only a crash
   * or a success is judged (INT-38).
   */
  readonly isOdd?: true;
}

/**
 * Presents bad credentials: at first one of each form that must be judged, because limits may leave
 * no time for all. How carefully they go is the sender's business (INT-17).
 */
export async function presentBad(
  { inconclusive, run, send, wants, target }: ScenarioCore,
  request: Guarded,
  rows: readonly BadCredential[],
): Promise<void> {
  const wanted = rows.filter(
    ({ requirement, shows = requirement }) =>
      requirement === undefined || wants(requirement) || (shows !== undefined && wants(shows)),
  );
  const parts: Parts = {
    good: takesToken(request.operation) ? await run.sender.session.token() : target.apiKey,
    addSecret: run.redaction.add,
  };
  const present = async (row: BadCredential): Promise<void> => {
    try {
      await orNothing(send(badRequest(request, row, parts)));
    } catch (error) {
      if (!(error instanceof Inconclusive) || row.requirement === undefined) throw error;
      inconclusive(row.requirement, error.message, { gap: error.gap });
    }
  };
  const forms = new Set<string>();
  const isFirst = ({ requirement, form = "" }: BadCredential): boolean =>
    requirement !== undefined && forms.size < forms.add(`${requirement} ${form}`).size;
  const first = wanted.filter(isFirst);
  await together(first.map(present));
  await together(wanted.filter((row) => !first.includes(row)).map(present));
}

interface Parts {
  /** The right key or the token of the session, whichever the request needs. */
  readonly good: string;
  readonly addSecret: (secret: string, label: string, kind?: "key") => void;
}

function badRequest(guarded: Guarded, row: BadCredential, parts: Parts): RequestSpec {
  const { isAccepted, ...request } = guarded;
  const { what, requirement, question = "OPEN-23" } = row;
  const spec = specOf(request);
  const isKey = row.key !== undefined;
  const bad: RequestSpec = {
    ...spec,
    intent: isKey ? invalid(what) : invalid(what, inputKinds.credentials),
    ...(isKey ? { apiKey: keyOf(row, parts) } : tokenOf(row, parts)),
    ...defined({ tokenInShell: row.inShell }),
    ...(row.connection === "fresh" && { isOnFreshConnection: true }),
    ...(row.connection === "used" && { spareConnection: "used" }),
  };
  const title = operationTitle(spec.operation);
  if (requirement === undefined) return observing(bad, question, title);
  const refusal: Refusal = {
    requirement,
    ...defined({ form: row.form, status: row.status }),
    ...(!isKey && {
      control: (): RequestSpec => ({ ...spec, intent: valid }),
      isControlRefused: isAccepted === false,
    }),
    ...(row.isSoonAfterGood === true && { after: goodRequest(guarded, isKey) }),
    ...(row.connection === "used" && {
      after: (): RequestSpec => ({ ...spec, intent: valid, spareConnection: "used" }),
    }),
  };
  if (row.isOdd === true) return { ...bad, refusal, exemptBy: "INT-38" };
  const watched = isKey
    ? observingStatus(bad, what)
    : observing(bad, question, `${title} ${what}`, "status");
  return { ...watched, refusal };
}

function keyOf({ key = null, what }: BadCredential, { good, addSecret }: Parts): string | null {
  if (typeof key !== "function") return key;
  const made = alteredFrom(good, key, what, "key");
  addSecret(made, `key: ${what}`, "key");
  return made;
}

function tokenOf(
  row: BadCredential,
  { good, addSecret }: Parts,
): Pick<RequestSpec, "authorization" | "headers" | "query" | "withToken"> {
  const { what, authorization, headers, madeUp, token, scheme = "Bearer", query } = row;
  const carrying = (one: string) => ({
    authorization: query === undefined ? `${scheme} ${one}`.trim() : null,
    ...defined({ query: query?.(one) }),
  });
  if (madeUp !== undefined) {
    const made = madeUp(good);
    addSecret(made, "made-up token of the same shape");
    return carrying(made);
  }
  if (token === undefined) return defined({ authorization, headers });
  if (token === "good") return { withToken: carrying };
  const withToken = (current: string) => {
    const made = alteredFrom(current, token, what, "token");
    addSecret(made, `token: ${what}`);
    return carrying(made);
  };
  return { withToken };
}

/**
 * Makes a request with good credentials: at the same endpoint, or, if that accepts no further one,
 * for the list.
 */
function goodRequest({ again, isAccepted }: Guarded, isKey: boolean): () => RequestSpec {
  if (isKey)
    return () => ({ operation: "createToken", intent: valid, contentType: "application/json" });
  return () => (again === undefined || isAccepted === false ? listRequest : specOf(again()));
}

function alteredFrom(
  good: string,
  change: (good: string) => string,
  what: string,
  kind: string,
): string {
  const bad = change(good);
  if (bad === good || bad === "" || (kind === "token" && bad.length < 4))
    throw new Inconclusive(
      `no request ${what} can be made of a ${kind} of this kind`,
      "near credential",
    );
  return bad;
}
