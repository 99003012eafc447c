import { expect, test } from "vitest";
import { startReference } from "./server.ts";

test("a body above the bound is refused with 413, and one within it is answered", async () => {
  const { baseUrl, close } = await startReference({ apiKey: "k", customerId: "c", maxBody: 1000 });
  const statusFor = async (body: string): Promise<number> =>
    (await fetch(`${baseUrl}/corporate/operation`, { method: "POST", body })).status;
  try {
    expect([await statusFor("x".repeat(1000)), await statusFor("x".repeat(1001))]).toEqual([
      401, 413,
    ]);
    expect(await statusFor("x".repeat(1_000_000))).toBe(413);
  } finally {
    await close();
  }
});
