import { observing, observingStatus } from "../run/observing.ts";
import { defined } from "../../model/defined.ts";
import { isSuccess } from "../../model/exchange.ts";
import { invalid, valid, type Fields, type RequestSpec } from "../../model/request.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { specOf, type Request } from "./changes.ts";
import { orNothing, together } from "../run/concurrency.ts";
import type { ScenarioCore } from "../run/context.ts";
import { ofTheSameShape } from "./altered.ts";

/**
 * A request that is valid except for its header. `isAccepted` is false if the server refuses it
 * even with a good token.
 */
export interface Guarded extends Request {
  readonly isAccepted?: boolean;
}

/** Credentials that work, and a made-up token of the same shape. */
export interface WorkingCredentials {
  readonly token: string;
  readonly key: string;
  readonly shape: string;
}

/**
 * A bad Authorization header: the whole header in `authorization`, or a good token with a change in
 * `altered`.
 */
export interface BadHeader {
  /** What is wrong with the header, in words that follow "a request". */
  readonly what: string;
  /**
   * The requirement that a request with this header is refused. Absent if the specification does
   * not say so: then what the server does with the request answers `question`.
   */
  readonly requirement?: RequirementId;
  /**
   * Another requirement that the refusal shows. The request is sent if at least one of the two
   * requirements must be judged.
   */
  readonly shows?: RequirementId | undefined;
  /**
   * The whole header, or null for none. If the function returns the good header, a row with a
   * requirement is left out.
   */
  readonly authorization?: string | null | ((good: WorkingCredentials) => string);
  /** Makes a bad token from a good one. The bad token counts while the good one is accepted. */
  readonly altered?: (token: string) => string;
  /**
   * The scheme in front of the altered token. If it is given, `altered` may return the token
   * unchanged. @defaultValue Bearer
   */
  readonly scheme?: string;
  /** The query, with its question mark. */
  readonly query?: (good: WorkingCredentials) => string;
  /** Headers to send beside the Authorization header. */
  readonly headers?: (good: WorkingCredentials) => Fields;
  /** Which mistake this is, if the requirement names several. Each of them must be judged. */
  readonly form?: string;
  /** The status of the refusal, if one is stated. */
  readonly status?: 401 | undefined;
  readonly question?: QuestionId;
  /**
   * Present this header right after a good token, because a server may remember that it let the
   * client in.
   */
  readonly isSoonAfterGood?: true;
  /**
   * HTTP servers refuse such a header by themselves, with responses of any form. So only a crash or
   * a success is judged (INT-38).
   */
  readonly isOdd?: true;
}

/**
 * Presents bad headers, one at a time until ten have shown no lock-out (INT-17). Altered tokens
 * count only while the good token is accepted.
 */
export async function presentBad(
  context: ScenarioCore,
  guarded: Guarded,
  rows: readonly BadHeader[],
): Promise<void> {
  const wanted = rows.filter(
    ({ requirement, shows }) =>
      requirement === undefined ||
      context.wants(requirement) ||
      (shows !== undefined && context.wants(shows)),
  );
  const good = await goodCredentials(context);
  const odd = wanted.filter(({ isOdd }) => isOdd === true);
  const unstated = wanted.filter(({ requirement }) => requirement === undefined);
  const altered = wanted.filter(isAltered);
  const soon = wanted.filter(({ isSoonAfterGood }) => isSoonAfterGood === true);
  const elsewhere = new Set<BadHeader>([...odd, ...unstated, ...altered, ...soon]);
  const stated = wanted.filter((row) => !elsewhere.has(row));
  await together([
    presentEach(context, headersOf(guarded, stated, good)),
    presentAfterGood(context, guarded, altered, soon),
    presentEach(context, headersOf(guarded, odd, good)),
    ...unstated.map(async (row) =>
      presentEach(context, headersOf(guarded, [row], await workingCredentials(context))),
    ),
  ]);
}

type Altered = BadHeader & Required<Pick<BadHeader, "altered" | "requirement">>;

const isAltered = (row: BadHeader): row is Altered => row.altered !== undefined;

async function presentEach(
  { run, send }: ScenarioCore,
  requests: readonly RequestSpec[],
): Promise<void> {
  if (requests.length > 0) await run.badCredentials.eachInSection(requests, send);
}

async function goodCredentials(context: ScenarioCore): Promise<WorkingCredentials> {
  const token = await context.run.sender.session.token();
  const shape = ofTheSameShape(token);
  context.run.redaction.add(shape, "made-up token of the same shape");
  return { token, key: context.target.apiKey, shape };
}

/** Returns the credentials of the session, after a request with them has succeeded. */
export async function workingCredentials(context: ScenarioCore): Promise<WorkingCredentials> {
  await context.succeed({ operation: "listBatches", intent: valid, isUrgent: true });
  return goodCredentials(context);
}

/**
 * Makes the requests with bad headers. A header that is good is left out: if the server issues the
 * API key as the token, "Bearer" with the key is not bad.
 */
function headersOf(
  guarded: Guarded,
  rows: readonly BadHeader[],
  good: WorkingCredentials,
): readonly RequestSpec[] {
  return rows.flatMap((row) => {
    const { authorization = null, headers, query } = row;
    const header = typeof authorization === "function" ? authorization(good) : authorization;
    if (row.requirement !== undefined && header === `Bearer ${good.token}`) return [];
    return [
      {
        ...withBadHeader(guarded, row, header),
        ...defined({ headers: headers?.(good), query: query?.(good) }),
      },
    ];
  });
}

/**
 * Makes the request with a bad header. Its control has the good header, and shows whether a limit,
 * which a server may check before the token, explains the refusal.
 */
function withBadHeader(
  { isAccepted, ...request }: Guarded,
  { what, requirement, form, status, question = "OPEN-23", isOdd }: BadHeader,
  authorization: string | null,
  derivedFrom?: string,
): RequestSpec {
  const spec = specOf(request);
  const bad: RequestSpec = {
    ...spec,
    intent: invalid(what, inputKinds.credentials),
    authorization,
  };
  if (requirement === undefined) return observing(bad, question, operationTitle(spec.operation));
  const control = (): RequestSpec => ({ ...spec, intent: valid });
  const refusal = {
    requirement,
    control,
    isControlRefused: isAccepted === false,
    ...defined({ form, status, derivedFrom }),
  };
  if (isOdd === true) return { ...bad, refusal, exemptBy: "INT-38" };
  return {
    ...observing(bad, question, `${operationTitle(spec.operation)} ${what}`, "status"),
    refusal,
  };
}

/**
 * Returns the credentials of the session, after this endpoint has accepted them. If the endpoint
 * accepts no further request, a request to `GET /batches` takes its place.
 */
async function provenCredentials(
  context: ScenarioCore,
  { again, isAccepted }: Guarded,
): Promise<WorkingCredentials> {
  if (again === undefined || isAccepted === false) return workingCredentials(context);
  const proof = await orNothing(context.succeed({ ...specOf(again()), isUrgent: true }));
  return proof === undefined ? workingCredentials(context) : goodCredentials(context);
}

/**
 * Presents altered tokens while the good one is accepted. The headers in `soon` come first, right
 * after a good token. If the good token is refused afterwards, each altered token is made again
 * from a new good one, and presented.
 */
async function presentAfterGood(
  context: ScenarioCore,
  guarded: Guarded,
  rows: readonly Altered[],
  soon: readonly BadHeader[],
): Promise<void> {
  const { badCredentials } = context.run;
  if (rows.length + soon.length === 0) return;
  const isAlive = await badCredentials.section(async () => {
    const good = await provenCredentials(context, guarded);
    const altered = alteredRequests(context, guarded, rows, good, true);
    // A control waits for these responses, so they go before the bad tokens that nothing waits for.
    const present = (requests: readonly RequestSpec[]): Promise<void> =>
      badCredentials.each(requests, (one) => context.send({ ...one, isUrgent: true }));
    const isAcceptedAfterwards = async (): Promise<boolean> => {
      await present(altered);
      if (rows.length === 0) return true;
      const control: RequestSpec = {
        operation: "listBatches",
        intent: valid,
        authorization: `Bearer ${good.token}`,
        isUrgent: true,
      };
      return isSuccess(await context.send(control));
    };
    const [, isAccepted] = await together([
      present(headersOf(guarded, soon, good)),
      isAcceptedAfterwards(),
    ]);
    return isAccepted;
  });
  if (isAlive) return;
  badCredentials.changed();
  for (const row of rows)
    await badCredentials.section(async () => {
      const good = await workingCredentials(context);
      await badCredentials.each(
        alteredRequests(context, guarded, [row], good, false),
        context.send,
      );
    });
}

/**
 * Makes a request for each altered token. If a token of this kind cannot be altered in a certain
 * way, leaves the request out, and its requirement is inconclusive.
 */
function alteredRequests(
  context: ScenarioCore,
  guarded: Guarded,
  rows: readonly Altered[],
  { token }: WorkingCredentials,
  needsProof: boolean,
): readonly RequestSpec[] {
  return rows.flatMap((row) => {
    const altered = row.altered(token);
    if (row.scheme === undefined && (altered === token || altered.length < 4)) {
      context.inconclusive(
        row.requirement,
        `no request ${row.what} can be made of a token of this kind`,
      );
      return [];
    }
    context.run.redaction.add(altered, `token: ${row.what}`);
    const authorization = `${row.scheme ?? "Bearer"} ${altered}`;
    return [withBadHeader(guarded, row, authorization, needsProof ? token : undefined)];
  });
}

/** A bad API key, and the requirement that the token endpoint refuses it. */
export interface BadKey extends Pick<BadHeader, "what" | "shows" | "isOdd"> {
  readonly requirement: RequirementId;
  /** The key to send, null for none, or a function that makes it from the right key. */
  readonly key: string | null | ((key: string) => string);
}

/**
 * Asks for a token with each bad key that a selected requirement needs. The other keys are not
 * sent, as bad keys can lock the client out. With `isSoonAfterGood`, the good key goes first,
 * because a server may remember that it let the client in.
 */
export async function presentKeys(
  context: ScenarioCore,
  rows: readonly BadKey[],
  { isSoonAfterGood = false }: { readonly isSoonAfterGood?: boolean } = {},
): Promise<void> {
  const { run, send, wants } = context;
  const wanted = rows.filter(
    ({ requirement, shows = requirement }) => wants(requirement) || wants(shows),
  );
  const requests = wanted.flatMap((row) => badKeyRequests(context, row));
  if (!isSoonAfterGood) return presentEach(context, requests);
  await run.badCredentials.section(async () => {
    if (requests.length > 0) await orNothing(run.sender.proveKey());
    await run.badCredentials.each(requests, send);
  });
}

/**
 * Returns the request with a bad key in a list, which is empty if the key cannot be made from the
 * configured one. The requirement is then inconclusive.
 */
function badKeyRequests(
  context: ScenarioCore,
  { requirement, what, key, isOdd }: BadKey,
): readonly RequestSpec[] {
  const { apiKey: right } = context.target;
  const apiKey = typeof key === "function" ? key(right) : key;
  if (typeof key === "function") {
    if (apiKey === right || !apiKey) {
      context.inconclusive(requirement, `no request ${what} can be made of the configured key`);
      return [];
    }
    context.run.redaction.add(apiKey, `key: ${what}`, "key");
  }
  const intent = invalid(what);
  const bad: RequestSpec = {
    operation: "createToken",
    intent,
    apiKey,
    contentType: "application/json",
    refusal: { requirement },
  };
  return [isOdd === true ? { ...bad, exemptBy: "INT-38" } : observingStatus(bad, what)];
}
