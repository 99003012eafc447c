import type { Answer, Call } from "./policy.ts";
import { Refusal } from "./refusal.ts";
import { methodsAt } from "./routes.ts";

/** Handles a call. */
export const answerTo = (call: Call): Promise<Answer> => call.policy.around(call, grant);

async function grant(call: Call): Promise<Answer> {
  try {
    if (call.operation === undefined) throw noEndpoint(call);
    for (const step of call.policy.order) steps[step](call);
    return await call.policy.perform(call);
  } catch (error) {
    if (error instanceof Refusal) return answerOf(error);
    throw error;
  }
}

const answerOf = (refusal: Refusal): Answer => ({
  status: refusal.status,
  headers: refusal.headers,
  body: { message: refusal.message },
  refusal: refusal.reason,
});

const steps = { authenticate, read } as const satisfies Record<Call["policy"]["order"][number], (call: Call) => void>;

function authenticate(call: Call): void {
  if (call.operation === "createToken") {
    const key = call.headers["x-api-key"];
    if (!call.policy.admitsKey(typeof key === "string" ? key : undefined, call))
      throw new Refusal(401, "key", "The API key is missing or not known");
    return;
  }
  const token = call.policy.tokenIn(call.headers.authorization, call);
  if (token === undefined || !call.policy.admitsToken(token, call))
    throw new Refusal(401, "token", "The access token is missing, not known or no longer valid", {
      "www-authenticate": "Bearer",
    });
}

function read(call: Call): void {
  if (call.operation === "createToken" || call.operation === "listBatches") return;
  call.body = call.policy.parse(call);
  call.policy.check(call);
}

function noEndpoint(call: Call): Refusal {
  const allowed = methodsAt(call.path);
  return allowed.length === 0
    ? new Refusal(404, "path", "There is nothing at this path")
    : new Refusal(405, "method", `This path takes ${allowed.join(" and ")}`, { allow: allowed.join(", ") });
}
