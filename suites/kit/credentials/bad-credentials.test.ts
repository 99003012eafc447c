import { expect, test } from "vitest";
import { createBadCredentials } from "./bad-credentials.ts";

const unhurried = { isShort: () => false, leftOut: () => undefined, about: String } as const;

/** Sections that send rows of bad credentials; returns how many were in flight when each was sent. */
const presented = async (
  sections: readonly (readonly number[])[],
  { signAt = Infinity, accepted = true, most = 8 }: { signAt?: number; accepted?: boolean; most?: number } = {},
): Promise<readonly number[]> => {
  let signs = 3;
  let inFlight = 0;
  const atOnce: number[] = [];
  const { section, each } = createBadCredentials<number>({
    ...unhurried,
    signs: () => signs,
    control: async () => accepted,
    most,
  });
  await Promise.all(
    sections.map((rows) =>
      section(() =>
        each(rows, async (row) => {
          inFlight += 1;
          atOnce.push(inFlight);
          await new Promise((resolve) => setTimeout(resolve, 2));
          if (row === signAt) signs += 1;
          inFlight -= 1;
        }),
      ),
    ),
  );
  return atOnce;
};

const rows = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, n) => from + n);
const all = [rows(1, 5), rows(6, 5), rows(11, 12), rows(23, 12)];

test("ten are presented one at a time, then as many at once as there may be, of several sections", async () => {
  const atOnce = await presented(all);
  expect(atOnce.slice(0, 10)).toEqual(rows(1, 10).map(() => 1));
  expect(Math.max(...atOnce)).toBe(8);
  expect(atOnce).toHaveLength(34);
});

test("all are presented one at a time where one of the first ten led to a sign of a lock-out", async () => {
  expect(Math.max(...(await presented(all, { signAt: 7 })))).toBe(1);
});

test("all are presented one at a time where good credentials are refused after ten", async () => {
  expect(Math.max(...(await presented(all, { accepted: false })))).toBe(1);
});

test("from the first sign on they are presented one at a time again", async () => {
  const atOnce = await presented([rows(1, 10), rows(11, 24)], { signAt: 12, most: 4 });
  expect(Math.max(...atOnce)).toBe(4);
  expect(atOnce.slice(-19)).toEqual(rows(1, 19).map(() => 1));
});

test("after one that fails no further one is sent", async () => {
  const sent: number[] = [];
  const { section, each } = createBadCredentials<number>({
    ...unhurried,
    signs: () => 0,
    control: async () => true,
    most: 8,
  });
  const failing = section(() =>
    each([1, 2, 3], async (row) => {
      sent.push(row);
      if (row === 2) throw new Error("put off");
    }),
  );
  await expect(failing).rejects.toThrow("put off");
  expect(sent).toEqual([1, 2]);
  await section(() => each([4], async (row) => sent.push(row)));
  expect(sent).toEqual([1, 2, 4]);
});

test("once limits have taken long, only what no earlier one has shown is sent", async () => {
  const sent: string[] = [];
  const counts: number[] = [];
  let isShort = false;
  const leftOut = (n: number) => void counts.push(n);
  const parts = { signs: () => 0, control: async () => true, most: 8, isShort: () => isShort, leftOut };
  const { section, each } = createBadCredentials<string>({ ...parts, about: (row) => row.split(" ")[0] });
  const present = (rows: readonly string[]) => section(() => each(rows, async (row) => sent.push(row)));
  await present(["AUTH-20 none", "AUTH-21 made-up", "AUTH-21 null"]);
  isShort = true;
  await present(["AUTH-21 constructor", "AUTH-22 tampered", "AUTH-22 with a tail"]);
  expect(sent).toEqual(["AUTH-20 none", "AUTH-21 made-up", "AUTH-21 null", "AUTH-22 tampered"]);
  expect(counts).toEqual([1, 2]);
});
