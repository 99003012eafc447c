import { expect, test } from "vitest";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { valid } from "../../model/request.ts";
import { changed } from "./changes.ts";
import { tryTogether, type Part } from "./packs.ts";

/** What is sent to a server that refuses some parts: a line for each request. */
async function sentTo(
  refuses: (part: Part) => boolean,
  { kinds = 6, places = 8, often = [] as readonly string[] } = {},
) {
  const lines: string[] = [];
  const noted = new Map<string, string>();
  const names = (n: number, prefix: string) => Array.from({ length: n }, (_, at) => prefix + at);
  const parts = names(kinds, "k").flatMap((kind) =>
    names(places, "p").map((place) => ({ kind, place, isOftenRefused: often.includes(kind) })),
  );
  await tryTogether({
    parts,
    send: (some) => {
      const isRefused = some.some(refuses);
      lines.push(
        `${isRefused ? "refused" : "accepted"} ${some.map(({ kind, place }) => kind + place).join(" ")}`,
      );
      return Promise.resolve(
        exchangeOf("createOperation", { status: isRefused ? 400 : 200, json: {} }),
      );
    },
    note: ({ kind, place }, { response }) =>
      void noted.set(kind + place, response.status === 200 ? "accepted" : "refused"),
  });
  return { lines, noted, never: parts.length - noted.size };
}

const isAt = (from: number) => (part: Part) => Number(part.place.slice(1)) >= from;
const isOf =
  (...kinds: readonly string[]) =>
  (part: Part) =>
    kinds.includes(part.kind);

test("each kind is sent at all places, those that are often refused last", async () => {
  const { lines, never } = await sentTo(() => false, { often: ["k2"] });
  expect(lines.map((line) => line.split(" ")[1])).toEqual(
    ["k0", "k1", "k3", "k4", "k5", "k2"].map((kind) => `${kind}p0`),
  );
  expect(never).toBe(0);
});

test("places that take nothing are found with two kinds, and keep no other place from being tried", async () => {
  const { lines, noted } = await sentTo(isAt(5));
  for (let kind = 0; kind < 6; kind += 1)
    for (let place = 0; place < 5; place += 1)
      expect(noted.get(`k${kind}p${place}`)).toBe("accepted");
  expect(noted.get("k0p7")).toBe("refused");
  expect(lines.length).toBeLessThan(6 + 16);
});

test("kinds that are refused everywhere keep no other kind from being tried", async () => {
  const { lines, noted, never } = await sentTo(isOf("k1", "k3", "k4"));
  expect(noted.get("k5p7")).toBe("accepted");
  expect(never).toBe(0);
  expect(lines.length).toBeLessThanOrEqual(6 + 3 * 3);
});

test("what is refused at one place alone is found there", async () => {
  const { noted } = await sentTo(({ kind, place }) => kind === "k3" && place === "p6");
  const refused = [...noted].filter(([, answer]) => answer === "refused");
  expect(refused).toEqual([["k3p6", "refused"]]);
});

test("a server that refuses everything gets few requests", async () => {
  expect((await sentTo(() => true, { kinds: 28, places: 16 })).lines.length).toBeLessThan(70);
});

test("what a change sets can be tried with plain values", () => {
  const request = { operation: "createBatch", intent: valid, body: {} } as const;
  const { varied } = changed(request, { with: { "/a": "é" } });
  expect(varied?.({ "/a": "xx", "/b": 5 })).toMatchObject({
    intent: { change: "with 2 characters at /a, 5 at /b" },
    body: { a: "xx", b: 5 },
  });
});
