import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { BadCredentialsSpent } from "../../harness/errors.ts";
import { createBadCredentials } from "./bad-credentials.ts";

const unhurried = {
  quiet: async () => undefined,
  isShort: () => false,
  about: String,
  isJudged: () => false,
  hasLockedOut: () => false,
  isCalm: async () => true,
  needsControl: () => true,
} as const;

/**
 * Sends rows of bad credentials in sections. Returns how many were in flight when each was sent.
 */
async function presented(
  sections: readonly (readonly number[])[],
  {
    signAt = Infinity,
    accepted = true,
    most = 8,
  }: { signAt?: number; accepted?: boolean; most?: number } = {},
): Promise<readonly number[]> {
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
}

function rows(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => from + n);
}
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

test.each([
  ["flows beside them, ten of them one at a time", 0, 14, 4],
  ["has ended before the next one after a sign of a lock-out", 3, 3, 1],
])("other traffic %s", async (_, signAt, besideOthers, mostInFlight) => {
  let inFlight = 0;
  const atOnce: number[] = [];
  let signs = 0;
  const sent: number[] = [];
  let others: (() => void) | undefined;
  const quiet = new Promise<void>((resolve) => (others = resolve));
  const { section, each } = createBadCredentials<number>({
    ...unhurried,
    signs: () => signs,
    control: async () => true,
    quiet: () => quiet,
    most: 8,
  });
  const presenting = section(() =>
    each(rows(1, 14), async (row) => {
      sent.push(row);
      inFlight += 1;
      atOnce.push(inFlight);
      if (row === signAt) signs += 1;
      await nextTurn();
      inFlight -= 1;
    }),
  );
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  expect(sent).toEqual(rows(1, besideOthers));
  expect(atOnce.slice(0, 10)).toEqual(rows(1, Math.min(10, besideOthers)).map(() => 1));
  expect(Math.max(...atOnce)).toBe(mostInFlight);
  others?.();
  await presenting;
  expect(sent).toEqual(rows(1, 14));
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

test("the next section begins while the control of rows in a section of their own is on its way", async () => {
  const sent: number[] = [];
  let answer: (() => void) | undefined;
  const answered = new Promise<boolean>((resolve) => (answer = () => resolve(true)));
  const { section, each, eachInSection } = createBadCredentials<number>({
    ...unhurried,
    signs: () => 0,
    control: async () => true,
    isCalm: () => answered,
    needsControl: (row) => row === 1,
    most: 8,
  });
  const send = async (row: number): Promise<void> => void sent.push(row);
  let isDone = false;
  const first = eachInSection([1], send).then(() => (isDone = true));
  await section(() => each([2], send));
  expect(sent).toEqual([1, 2]);
  expect(isDone).toBe(false);
  answer?.();
  await first;
});

test("once limits have taken long, only what no response has shown is sent", async () => {
  const sent: string[] = [];
  const judged = new Set<string>();
  let isShort = false;
  const { section, each, open, leftOut } = createBadCredentials<string>({
    ...unhurried,
    signs: () => 0,
    control: async () => true,
    most: 8,
    isShort: () => isShort,
    about: (row) => row.replace(/,.*/, ""),
    isJudged: (about) => judged.has(about),
  });
  const present = (rows: readonly string[], shows: boolean) =>
    section(() =>
      each(rows, async (row) => {
        sent.push(row);
        if (shows) judged.add(row.replace(/,.*/, ""));
      }),
    );
  await present(["AUTH-20, none"], true);
  await present(["AUTH-21, null", "AUTH-22, replaced"], false);
  isShort = true;
  await present(
    ["AUTH-20, empty", "AUTH-21, constructor", "AUTH-22, replaced", "AUTH-22, near its end"],
    true,
  );
  await present(["AUTH-22, replaced", "AUTH-22 tail, appended"], true);
  expect(sent.slice(3)).toEqual([
    "AUTH-21, constructor",
    "AUTH-22, replaced",
    "AUTH-22 tail, appended",
  ]);
  expect(leftOut()).toEqual(["AUTH-20, empty", "AUTH-22, near its end", "AUTH-22, replaced"]);
  expect(open()).toEqual([]);
});

test("what was not sent after one that fails, and what a refusal did not show, stays open", async () => {
  const { section, each, open } = createBadCredentials<string>({
    ...unhurried,
    signs: () => 0,
    control: async () => true,
    most: 8,
    isJudged: (about) => about === "replaced",
  });
  const sends = (row: string) =>
    row === "near its end" ? Promise.reject(new Error("put off")) : Promise.resolve();
  await expect(section(() => each(["replaced", "near its end", "tail"], sends))).rejects.toThrow(
    "put off",
  );
  await section(() => each(["none"], sends));
  await section(() => each(["spent"], () => Promise.reject(new BadCredentialsSpent(0))));
  expect(open().map(({ row, reason }) => `${row}: ${reason.split(",")[0]}`)).toEqual([
    "near its end: put off",
    "tail: put off",
    "none: bad credentials were presented while good ones were refused too",
  ]);
});

test("what a lock-out may have refused is presented again, one at a time with a control after each", async () => {
  const sent: string[] = [];
  let controls = 0;
  const { section, each, open } = createBadCredentials<string>({
    ...unhurried,
    signs: () => 0,
    hasLockedOut: () => controls > 0,
    control: async () => true,
    most: 8,
    isJudged: () => true,
    isCalm: async () => {
      controls += 1;
      return controls > 1;
    },
  });
  await section(() => each(["none", "made-up"], async (row) => sent.push(row)));
  expect([sent, controls]).toEqual([["none", "made-up", "none", "made-up"], 3]);
  expect(open()).toEqual([]);
});

test("what good credentials never followed stays open, however often it is presented", async () => {
  const sent: string[] = [];
  const { section, each, open } = createBadCredentials<string>({
    ...unhurried,
    signs: () => 0,
    control: async () => true,
    most: 8,
    isJudged: () => true,
    isCalm: async () => false,
  });
  await section(() => each(["none"], async (row) => sent.push(row)));
  expect([sent.length, open().length]).toEqual([3, 1]);
});
