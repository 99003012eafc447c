import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { judged, type EntryInShort } from "../engine/recording/testing/har.ts";
import type { Finding } from "../model/run.ts";

type Words = Pick<Finding, "message" | "expected">;
type Breaks = Words & { readonly exchange?: string };

const { requirements } = JSON.parse(
  readFileSync(new URL("../cli/examples.json", import.meta.url), "utf8"),
) as { readonly requirements: Readonly<Record<string, { readonly breaks?: Breaks }>> };

/** A recorded exchange, which `npm run examples` writes as a listing, as an entry of a recording. */
function entryOf(listing: string, at: number): EntryInShort {
  const end = listing.search(/\n\n\d{3} /);
  const [head = "", sent] = listing.slice(0, end).split("\n\n");
  const [start = "", body] = listing.slice(end + 2).split("\n\n");
  const [, to = "", ...headers] = head.split("\n");
  const fields = Object.fromEntries(headers.map((line) => line.split(": ") as [string, string]));
  return { to, headers: fields, sent, status: Number(start.slice(0, 3)), body, at };
}

/** What was expected, and what was found but for the words on the request, which may be a probe's. */
const wordsOf = ({ message, expected }: Words): string =>
  `${message.replace(/ to a (request|valid).*/, "")} ${expected}`;

test("the examples of explain have the words that their rules have today", async () => {
  const examples = Object.entries(requirements).flatMap(([id, { breaks }]) =>
    breaks?.exchange === undefined ? [] : [{ id, ...breaks, exchange: breaks.exchange }],
  );
  const entries = examples.map(({ exchange }, index) => entryOf(exchange, index * 3_600_000));
  const { requirements: rows } = await judged(entries, { keepValues: true });
  const findingsOf = (id: string) => rows.find((row) => row.id === id)?.findings ?? [];
  // What only a sequence of requests shows, or a refusal of credentials, stands in no single exchange.
  const shown = examples.filter(({ id }) => findingsOf(id).length > 0);
  expect(shown.length).toBeGreaterThan(50);
  const stale = shown.filter((one) => !findingsOf(one.id).map(wordsOf).includes(wordsOf(one)));
  expect(stale.map(({ id }) => `npm run examples -- ${id}`)).toEqual([]);
});
