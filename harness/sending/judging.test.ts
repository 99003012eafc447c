import { describe, expect, test } from "vitest";
import { invalid, unusual, type RequestSpec } from "../../model/request.ts";
import { senderWith, type SeenRequest, create, list, useFakeTime } from "../testing/sender.ts";

useFakeTime();

const isToken = ({ operation }: SeenRequest): boolean => operation === "createToken";

describe("a response", () => {
  test("to an invalid or unusual request does not prove that the operation works, and what it made is nobody's", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : { status: 201 }));
    scripted.progress.plan(1, ["createBatch"]);
    const other = { ...create, body: { currency_pair: "EURBRL" } };
    await scripted.send({ ...create, intent: invalid("with a digit") });
    expect(scripted.found()).toMatchObject({
      neverSucceeded: ["createBatch"],
      created: [{ kind: "batch", id: "b-1" }],
    });
    expect(scripted.judged("AUTH-04")).toBe(0);
    await scripted.send({ ...other, intent: unusual("odd") });
    expect(scripted.broken()).toEqual(["BATCH-02"]);
    await scripted.send(create);
    expect(scripted.broken()).toEqual(["BATCH-02", "BATCH-06"]);
  });
});

/** A token that differs from a good one in its end. */
const altered: RequestSpec = {
  ...list,
  intent: invalid("with an altered token"),
  withToken: (good) => ({ authorization: `Bearer ${good}x` }),
  refusal: { requirement: "AUTH-38" },
};
function refusesAltered({ token }: SeenRequest) {
  return token?.endsWith("x") === true ? { status: 401, json: { message: "no" } } : undefined;
}

test("the refusal of a token holds once the token from which it was made is accepted", async () => {
  const scripted = senderWith(refusesAltered);
  await scripted.send(altered);
  expect(scripted.judged("AUTH-38")).toBe(1);
  expect(scripted.sent()).toEqual(["createToken", "listBatches token-1x", "listBatches token-1"]);
});
