import { isSuccess } from "../../../model/exchange.ts";
import { memberOf } from "../../../spec/json.ts";
import { scenario } from "../../kit/index.ts";
import { declaredAs, withPrototypeMembers, withUnknownMember } from "../../tables/tolerated.ts";

export const unknownMembers = scenario({
  id: "counterparty/register/unknown-members",
  title: "unknown members, and an id of the client's own",
  checks: ["CPTY-01"],
  drawsTheSame: true,
  phase: "beside",
  run: async ({ answered, counterpartyLike, observed, registered, runId, send, together }) => {
    const counterparty = await registered();
    const like = counterpartyLike(counterparty);
    await together([
      observed(like, withUnknownMember, "OPEN-35", title),
      observed(like, declaredAs("text/plain"), "OPEN-36", `${title} declared as text/plain`),
    ]);
    await observed(like, withPrototypeMembers, "OPEN-35", `${title} with the names of a prototype`);
    const id = `own-${runId}`;
    const what = "with an id of the client's own";
    const named = await send(like, { what, with: { "/id": id }, breaksNoRule: true });
    const effect = memberOf(named.json, "id") === id ? "taken over" : "ignored";
    answered("OPEN-31", "an id of the client's own", named, isSuccess(named) ? effect : undefined);
  },
});

const title = "POST /customers/{customer_id}/counterparty";
