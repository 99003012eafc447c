import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isOrdinary, redactionOf } from "../model/evidence/redaction.ts";
import { spellingsOf } from "../model/testing/secret-spellings.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { renderers } from "../reports/index.ts";
import { saveReports } from "../reports/saving.ts";
import { judgeRecordings } from "../engine/recording/har-file.ts";
import { fileOf, harOf, options, type EntryInShort } from "../engine/recording/testing/har.ts";
import { catalogue } from "../spec/catalogue.ts";
import { prose } from "../spec/prose.ts";
import { operations } from "../spec/operations.ts";

type Artefacts = Readonly<Record<string, string>>;

/** All artefacts of a recording. An artefact that was refused is missing. */
async function artefactsOf(entries: readonly EntryInShort[]): Promise<Artefacts> {
  const files = [{ path: fileOf(harOf(entries)), name: "it.har" }];
  const { run, secrets } = await judgeRecordings(
    { ...options, secretHeaders: ["x-session"] },
    { files },
  );
  const folder = temporaryFolder();
  const named = { ...run, runId: "run-id" };
  const { files: written, lost } = await saveReports(named, {
    folder,
    renderers: Object.values(renderers),
    secrets: redactionOf(secrets, [run.target?.baseUrl ?? ""]),
  });
  expect(lost.filter(({ cause }) => cause !== undefined)).toEqual([]);
  return Object.fromEntries(
    written.map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
}

/** Places in a recording where a secret can stand. */
const places: readonly ((secret: string) => EntryInShort)[] = [
  (secret) => ({
    to: "POST /auth/token",
    headers: { "x-api-key": secret },
    body: { token: "token-of-the-server" },
  }),
  (secret) => ({
    to: "POST /auth/token",
    headers: { "x-api-key": "key-of-the-client" },
    body: { token: secret },
  }),
  (secret) => ({
    to: "GET /batches",
    headers: { Authorization: `Bearer ${secret}` },
    body: { batches: [] },
  }),
  (secret) => ({
    to: "GET /batches",
    headers: { Authorization: secret },
    status: 401,
    body: { message: "no" },
  }),
  (secret) => ({ to: "POST /batches", headers: { Cookie: `theme=dark; sid=${secret}` }, sent: {} }),
  (secret) => ({
    to: "POST /batches",
    headers: { "X-Session": secret },
    sent: { currency_pair: "USDBRL" },
  }),
];

/** Ways in which a server or a client can repeat a text. */
const echoes: readonly ((text: string) => EntryInShort)[] = [
  (text) => ({ to: "GET /batches", status: 500, body: { message: `no ${text}, sorry` } }),
  (text) => ({
    to: "GET /batches",
    status: 401,
    type: `text/${text}`,
    body: `<p title="${text}">`,
  }),
  (text) => ({
    to: "POST /batches",
    sent: { currency_pair: text },
    body: { id: 1, currency_pair: `${text}.` },
  }),
  (text) => ({
    to: "GET /batches",
    body: { batches: [{ id: "b", status: text, [text]: text, operations: 0 }] },
  }),
  (text) => ({
    to: `GET /batches?q=${encodeURIComponent(text.toWellFormed())}`,
    response: { statusText: text },
  }),
  (text) => ({
    to: "POST /customers/c/counterparty",
    sent: { name: text },
    status: 400,
    body: { message: text },
  }),
  (text) => ({
    to: "POST /corporate/operation",
    sent: `{"${text}`,
    body: { operation_id: JSON.stringify(text) },
  }),
];

/**
 * Draws secrets: values of any kind, words that fxconform itself uses, and parts of what its
 * artefacts say, as far as a header can hold them.
 */
function secretWith(said: string): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: "binary" }),
      fc.stringMatching(/^[\w.~+/-]{1,40}=?$/),
      fc.constantFrom(
        ...[
          '"fxconform"',
          "undefined",
          "constructor",
          "characters",
          "operation",
          "XXXXXXXX",
          "99999999",
        ],
      ),
      fc.constantFrom(
        "[API key]",
        "[cookie]",
        "it.har, entry 1",
        "https://fx.test",
        "2023-11-14",
        "k\udce9y-fxconform",
      ),
      fc
        .tuple(fc.nat(said.length - 1), fc.integer({ min: 1, max: 24 }))
        .map(([at, size]) => said.slice(at, at + size)),
    )
    .map((text) => text.replaceAll(/[\p{Cc};]/gu, " ").trim())
    .filter((text) => text !== "");
}

/** Draws a recording as a function of the secret in it. */
const recording = fc
  .tuple(
    fc.shuffledSubarray([...places], { minLength: 1 }),
    fc.array(fc.tuple(fc.constantFrom(...echoes), fc.nat(40)), { maxLength: 5 }),
    fc.boolean(),
  )
  .map(([known, repeated, isRepeatedFirst]) => (value: string): readonly EntryInShort[] => {
    const spellings = [value, ...spellingsOf(value)];
    const around = repeated.map(([echo, which]) =>
      echo(spellings[which % spellings.length] ?? value),
    );
    const from = known.map((place) => place(value));
    return isRepeatedFirst ? [...around, ...from] : [...from, ...around];
  });

const ownLetters = lettersOf(JSON.stringify([operations, catalogue, prose.interpretations]));

/** Whether the letters of a text stand in the texts of fxconform, whatever stands between them. */
function isOwnText(text: string): boolean {
  const letters = lettersOf(text);
  return letters !== "" && ownLetters.includes(letters);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

test("whatever a recording holds, every artefact is written, and none holds a secret of it", async () => {
  const anything = [...places, ...echoes].map((make) => make("secret-of-the-example"));
  const said = Object.values(await artefactsOf(anything)).join("\n");
  await fc.assert(
    fc.asyncProperty(recording, secretWith(said), async (entriesWith, value) => {
      const artefacts = await artefactsOf(entriesWith(value));
      expect(Object.keys(artefacts)).toHaveLength(Object.keys(renderers).length);
      // An ordinary secret is replaced only as a whole. A label of fxconform is no secret, and
      // neither is the server's own address, nor what stands in the texts of fxconform.
      const isNoSecret =
        /^\[[\w ]+\]$/.test(value) || value === "https://fx.test" || isOwnText(value);
      if (isOrdinary(value) || isNoSecret) return;
      const leaks = Object.entries(artefacts).flatMap(([file, text]) =>
        spellingsOf(value)
          .filter((spelling) => text.includes(spelling) && !said.includes(spelling))
          .map((spelling) => [file, spelling]),
      );
      expect(leaks).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 300_000);
