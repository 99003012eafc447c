import { expect, test } from "vitest";
import { referenceFor } from "../../reference/testing/reference.ts";
import { calibrationSteps } from "../../model/evidence/evidence.ts";
import { key, serving, warmCommands } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const command = warmCommands(key);

/**
 * Runs `doctor` against a reference server with these faults and variants, and counts what it
 * created.
 */
async function doctorAgainst(
  changes: { readonly faults?: readonly string[]; readonly variants?: readonly string[] },
  more: readonly string[] = [],
) {
  let creations = 0;
  const { baseUrl } = await referenceFor({
    apiKey: key,
    customerId: "c1",
    ...changes,
    onRequest: ({ method, url = "" }, response) => {
      if (method !== "POST" || url.endsWith("/auth/token")) return;
      response.on("finish", () => {
        if (response.statusCode < 300) creations += 1;
      });
    },
  });
  return { ...(await doctor(baseUrl, more)), creations };
}

function doctor(baseUrl: string, more: readonly string[] = []) {
  const words = ["doctor", "--base-url", baseUrl, "--customer-id", "c1", ...more];
  return command(words, temporaryFolder());
}

const stepNames = ["host name", "connection", "API key", "token", "list", ...calibrationSteps];

test("each step is right, and one of each kind is created, with an operation for each value", async () => {
  const { code, stdout, stderr, creations } = await doctorAgainst({}, [
    "--currency-pairs",
    "USDBRL,EURBRL",
  ]);
  expect(code, stdout).toBe(0);
  expect(stdout.match(/^\S (host name|API key|\w+)/gm)).toEqual(
    stepNames.map((step) => `✓ ${step}`),
  );
  expect(stdout).toMatch(
    /^ {2}created counterparty \S+\n( {2}created operation \S+\n| {2}created acam item \S+\n){4} {2}created batch \S+\n\nReady for .* run\.\n$/m,
  );
  expect(stderr).toMatch(/^Creates a counterparty, .* at http/);
  expect(creations).toBe(6);
});

test.each([
  ["an operation of 20 at most", "operations-up-to-20", "operation", "Above 20|--amount", "✓ item"],
  ["one purpose alone", "only-efx", "purpose", "--other-purposes", "✓ batch"],
])(
  "a server that accepts %s: says what was refused and what to configure, and goes on",
  async (_, variant, step, says, next) => {
    const { code, stdout } = await doctorAgainst({ variants: [variant] }, [
      "--currency-pairs",
      "USDBRL,EURBRL",
    ]);
    expect(stdout).toMatch(new RegExp(`^✗ ${step} .*(${says})`, "ms"));
    expect(stdout).toContain(`\n${next}`);
    expect(stdout).toMatch(/^\S.* run can start: it says more about the steps marked with ✗\.$/m);
    expect(code).toBe(0);
  },
);

test("a server that crashes at each operation: nothing is tried in its place, and no step that needs one is taken", async () => {
  const paths: string[] = [];
  const baseUrl = await serving(({ method, url = "" }, answer) => {
    paths.push(`${method} ${url}`);
    if (url === "/auth/token") answer(200, { token: "a-token-of-this-server" });
    else if (url === "/corporate/operation") answer(500, { message: "broken" });
    else if (method === "GET") answer(200, { batches: [], count: 0, total: 0 });
    else answer(201, { id: `id-${paths.length}` });
  });
  const { code, stdout } = await doctor(baseUrl);
  expect(stdout).toMatch(/^✗ operation .*500 "broken".*\n(?: .*\n)?✓ batch /m);
  expect(code).toBe(3);
  expect(paths.filter((path) => path === "POST /corporate/operation").length).toBeLessThan(6);
});

test("what a step shows is wrong: it is marked, and created once", async () => {
  const { code, stdout, creations } = await doctorAgainst({ faults: ["operation-created-201"] });
  expect(stdout).toMatch(/^✗ operation .*expected status 200, found status 201/m);
  expect(stdout).toMatch(/^\S.* run can start: it says more about the steps marked with ✗\.$/m);
  expect([code, creations]).toEqual([0, 5]);
});

test("without a token nothing that needs one is right", async () => {
  const baseUrl = await serving((_, answer) => answer(200, { token: 7 }));
  const { code, stdout } = await doctor(baseUrl);
  expect(stdout.match(/^\S+ \w+/gm)?.slice(-2)).toEqual(["✗ token", "Not ready"]);
  expect(code).toBe(3);
});
