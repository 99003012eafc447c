import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { frequencyText } from "../reports/failures.ts";
import { sentence } from "../reports/groups.ts";
import { findingOf } from "../model/testing/rows.ts";
import { exchangeOf } from "../model/testing/exchanges.ts";
import { invalid } from "../model/request.ts";
import { nothingKnown, said } from "../harness/testing/judgements.ts";
import { message } from "../harness/judging/rules/message.ts";

const layers = [
  "spec",
  "model",
  "generators",
  "harness",
  "suites",
  "engine",
  "reports",
  "settings",
  "cli",
];
const files = layers
  .flatMap((layer) =>
    readdirSync(layer, { recursive: true, encoding: "utf8" }).map((file) => join(layer, file)),
  )
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(file));

/** Phrases that nobody would say to a colleague. */
const unsaid = [
  "no response showed whether the server meets it",
  "no two creations with different data",
  "while both were in flight; that takes",
  "before anything was created",
  "has only its first half",
  "MUST judged",
  "judged MUST requirements failed",
  "again in ${",
  "/message: a JSON object",
];

test("no text says it as nobody would", () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return unsaid.filter((words) => text.includes(words)).map((words) => `${file}: ${words}`);
  });
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

test("a refusal without a message shows what stands in its place", () => {
  const intent = invalid("with the word constructor for a token");
  const wrong = exchangeOf("createBatch", { intent, status: 403, json: { error: "no" } });
  expect(
    said(message.create(nothingKnown()).judge, wrong).find((line) => line.startsWith("BATCH-08")),
  ).toBe(
    "BATCH-08 POST /batches answers with a refusal without a string `message` to a request with the word constructor " +
      'for a token. | /message is a string | /message is absent in {"error":"no"}, status 403 | /message',
  );
});

test("a crash with several members shows them", () => {
  const wrong = exchangeOf("createBatch", { status: 500, json: { message: "ok", code: 7 } });
  expect(said(message.create(nothingKnown()).judge, wrong)[0]).toContain(
    'status 500 with {"message":"ok","code":7}',
  );
});

test.each([
  [{ occurrences: 129, repeated: "3 of 3" }, "129 times, and each time that it was sent again"],
  [{ occurrences: 1, repeated: "2 of 3" }, "2 of 3 times that it was sent again"],
  [{ occurrences: 1 }, ""],
])("how often a finding was seen: %j", (more, text) => {
  expect(frequencyText(findingOf(more))).toBe(text);
});

test("a reason that stands alone is a sentence", () => {
  expect(sentence("the base URL is plain HTTP")).toBe("The base URL is plain HTTP.");
  expect(sentence("OPER-05 must be mended first (Ids are numbers)")).toBe(
    "OPER-05 must be mended first (Ids are numbers).",
  );
});
