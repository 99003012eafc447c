import { leftOut, scenario } from "../../kit/index.ts";
import { memberRefusals } from "../../../spec/refusals.ts";
import { invalidMembers, type Member } from "./members.scenario.ts";

/**
 * Sends each member as null once more, and again when all else was sent, so that no single request
 * decides (INT-19). `missing`: members that are also left out at the end, as a server may stop
 * checking them after some requests.
 */
function repeated(part: string, members: readonly Member[], missing: readonly Member[] = []) {
  return scenario({
    id: `operation/invalid/repeated/${part}`,
    title: `${members.join(" and ")} as null once more, and when all else was sent`,
    checks: [
      ...members.map((member) => memberRefusals[member].null),
      ...missing.map((member) => memberRefusals[member].omit),
    ],
    after: [invalidMembers],
    run: async ({ controlOperation, old, refused, together }) => {
      const control = await controlOperation(400);
      const nulls = () =>
        members.map((member) =>
          refused(control, { with: { [`/${member}`]: null } }, memberRefusals[member].null, 400),
        );
      await together(nulls());
      await old({ at: Date.now() });
      await together([
        ...nulls(),
        ...missing.map((member) =>
          refused(control, { with: { [`/${member}`]: leftOut } }, memberRefusals[member].omit, 400),
        ),
      ]);
    },
  });
}

/** Two scenarios with two members each, so that a run of one requirement sends few requests. */
export const repeatedMembers = [
  repeated("amount-and-purpose", ["currency_amount", "operation_purpose"]),
  repeated("pair-and-counterparty", ["currency_pair", "counterparty_id"], ["counterparty_id"]),
];
