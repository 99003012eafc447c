import { expect, test } from "vitest";
import { startReference } from "../../reference/server.ts";
import { key, serving, warmCommands } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const command = warmCommands(key);

/**
 * Takes the steps against a reference server with these faults, and counts the creations that it
 * answered.
 */
async function doctorAgainst(faults: readonly string[]) {
  let creations = 0;
  const server = await startReference({
    apiKey: key,
    customerId: "c1",
    faults,
    onRequest: ({ method, url = "" }, response) => {
      if (method !== "POST" || url.endsWith("/auth/token")) return;
      response.on("finish", () => {
        if (response.statusCode < 300) creations += 1;
      });
    },
  });
  try {
    const words = ["doctor", "--base-url", server.baseUrl, "--customer-id", "c1"];
    return { ...(await command(words, temporaryFolder())), creations };
  } finally {
    await server.close();
  }
}

test("each step is right, and one counterparty and one operation are created", async () => {
  const { code, stdout, stderr, creations } = await doctorAgainst([]);
  expect(code, stdout).toBe(0);
  expect(stdout.match(/^\S \w+/gm)).toEqual(
    ["name", "connection", "tls", "key", "token", "list", "counterparty", "operation"].map(
      (step) => `✓ ${step}`,
    ),
  );
  expect(stdout).toMatch(
    /^ {2}created counterparty \S+\n {2}created operation \S+\n\nReady for .* run\.\n$/m,
  );
  expect(stderr).toMatch(/^Creates one counterparty and one operation at /);
  expect(creations).toBe(2);
}, 60_000);

test.each([
  ["operation-created-201", "operation", "expected status 200, found status 201", 2],
  ["list-batches-null", "list", "batches", 2],
])(
  "what a step of %s shows is wrong: it is marked, and created once",
  async (fault, step, says, created) => {
    const { code, stdout, creations } = await doctorAgainst([fault]);
    expect(stdout).toMatch(new RegExp(`^✗ ${step} .*${says}`, "m"));
    expect(stdout).toMatch(/^\S.* run can start: it says more about the steps marked with ✗\.$/m);
    expect([code, creations]).toEqual([0, created]);
  },
  60_000,
);

test("ids that are numbers: the step is wrong, the next one goes on with the text of the number", async () => {
  const { code, stdout, creations } = await doctorAgainst(["counterparty-id-number"]);
  expect(stdout).toMatch(/^✗ counterparty .*\n✓ operation .*\n {2}created operation \S+$/m);
  expect([code, creations]).toEqual([0, 2]);
}, 60_000);

test("without a token nothing that needs one is right", async () => {
  const baseUrl = await serving((_, answer) => answer(200, { token: 7 }));
  const { code, stdout } = await command(
    ["doctor", "--base-url", baseUrl, "--customer-id", "c1"],
    temporaryFolder(),
  );
  expect(stdout.match(/^[✗–] .*/gm)).toEqual([
    expect.stringContaining("✗ token"),
    expect.stringMatching(/^– list +needs a token$/),
    expect.stringMatching(/^– counterparty +needs a token$/),
    expect.stringMatching(/^– operation +needs a token$/),
  ]);
  expect(code).toBe(3);
}, 60_000);
