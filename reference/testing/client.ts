import type { Json } from "../../spec/json.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import { applicationOf, policyOf } from "../application.ts";
import type { Call, Change } from "../policy.ts";

/** The key and the customer of the servers that `clientOf` makes. */
export const access = { apiKey: "Key-Of-The-Tests-01", customerId: "customer-1" };

/** A request, and the response as it is written. `response` is absent if the server sends none. */
interface Received {
  readonly call: Call;
  readonly url: string;
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly bytes: Buffer;
  };
}

/**
 * Makes a server with this change. Returns a function that sends JSON values, or texts as they are,
 * to that server without a network. `id` goes into the path.
 */
export function clientOf(change: Change) {
  const policy = policyOf([change]);
  const answerTo = applicationOf(policy, access);
  return async (
    operation: OperationName,
    headers: Readonly<Record<string, string>>,
    { body, id = access.customerId }: { readonly body?: Json; readonly id?: string } = {},
  ): Promise<Received> => {
    const { method, path } = operations[operation];
    const url = path.replace(/\{\w+\}/, encodeURIComponent(id));
    const bytes = Buffer.from(typeof body === "string" ? body : (JSON.stringify(body) ?? ""));
    const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
    const [answer, call] = await answerTo({
      method,
      url,
      headers: typed,
      bytes,
      connection: {},
      idle: 0,
    });
    return answer.fate === undefined
      ? { call, url, response: policy.encode(answer, call) }
      : { call, url };
  };
}

/** Gets a token, and returns the headers of a request with that token. */
export async function authorized(
  send: ReturnType<typeof clientOf>,
): Promise<Readonly<Record<string, string>>> {
  const { call } = await send("createToken", { "x-api-key": access.apiKey });
  return { authorization: `Bearer ${[...call.store.tokens.keys()].at(-1)}` };
}
