import { expect, test } from "vitest";
import type { RequestSpec } from "../../model/request.ts";
import { createContext } from "../run/context.ts";
import { runWith } from "../testing/sent-by.ts";
import { token } from "./token.scenario.ts";

const isToken = ({ operation }: RequestSpec): boolean => operation === "createToken";
const isUndeclared = (spec: RequestSpec): boolean => isToken(spec) && spec.contentType === null;

/** What the scenario says of AUTH-02 and AUTH-03 if the server answers in this way. */
async function saidOf(statusOf: (spec: RequestSpec) => number | undefined) {
  const { run } = runWith(statusOf);
  const said: string[] = [];
  const note = (what: string) => (requirement: string) => {
    if (/AUTH-0[23]/.test(requirement)) said.push(`${requirement} ${what}`);
  };
  const recorder = {
    ...run.recorder,
    violated: note("is broken"),
    holds: ([requirement = ""]: readonly string[]) => note("holds")(requirement),
    inconclusive: note("is open"),
  };
  await token.run(createContext({ ...run, recorder }, token));
  return said.toSorted();
}

/** Refuses the first of the requests that are meant, so many of them. */
function first(most: number, isMeant: (spec: RequestSpec) => boolean) {
  let seen = 0;
  return (spec: RequestSpec): number | undefined => {
    if (!isMeant(spec)) return undefined;
    seen += 1;
    return seen <= most ? 403 : undefined;
  };
}

test("a way to ask for a token that is refused whenever it is tried is broken", async () => {
  const said = await saidOf((spec) => (isUndeclared(spec) ? 415 : undefined));
  expect(said).toEqual(["AUTH-02 is broken", "AUTH-03 holds"]);
  expect(
    await saidOf((spec) => (isToken(spec) && spec.body === undefined ? 400 : undefined)),
  ).toEqual(["AUTH-02 is broken", "AUTH-03 is broken"]);
});

test("one that was refused while everything is refused is not", async () => {
  expect(await saidOf(first(1, isToken))).toEqual(["AUTH-02 holds", "AUTH-03 holds"]);
});

test("one that is refused again, while what was accepted is refused too, is open", async () => {
  let left = 3;
  const said = await saidOf((spec) => {
    if (isUndeclared(spec)) return 403;
    if (!isToken(spec)) return undefined;
    left -= 1;
    return left <= 0 ? 403 : undefined;
  });
  expect(said).toEqual(["AUTH-02 is open", "AUTH-03 holds"]);
});
