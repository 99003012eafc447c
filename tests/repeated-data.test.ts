import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { referenceRuns } from "./reference-run.ts";

const { against, fxconform } = referenceRuns("repeated-data-key-3b7e");

/** What a server may demand to be unique, in the shape of valid values, in a body that is well-formed or not. */
const unique = [
  /(?<!\w)(external_id)["']?\s*:\s*["']([\w-]{8,64})["']/g,
  /(?<!\w)(account_number|iban)["']?\s*:\s*["']([A-Za-z0-9]{8,34})["']/g,
  /(?<!\w)(name)["']?\s*:\s*["']((?:[A-Z][a-z]+ )+[A-Z][a-z]+)["']/g,
];

test("no external id, account or name is sent twice but by the probes of INT-35, even where requests are sent again", async () => {
  const bodies: Promise<string>[] = [];
  const onRequest = (request: IncomingMessage): void => {
    if (request.url?.endsWith("/counterparty") === true) bodies.push(textOf(request));
  };
  const { run } = await against({ onRequest, variants: ["unavailable-once"] }, (words) => fxconform(["run", ...words]));
  expect(run.outcome).toBe("conformant");
  const times = new Map<string, number>();
  for (const body of await Promise.all(bodies))
    for (const value of new Set(
      unique.flatMap((one) => [...body.matchAll(one)].map(([, ...parts]) => parts.join(" "))),
    ))
      times.set(value, (times.get(value) ?? 0) + 1);
  expect(times.size).toBeGreaterThan(500);
  const repeated = [...times].flatMap(([value, n]) => (n > 1 ? [value] : []));
  // They repeat what one counterparty has, or all of it but its end.
  const kinds = [...new Set(repeated.map((value) => value.slice(0, -1)))].map((value) => value.split(" ")[0]);
  expect(kinds, repeated.join()).toEqual([...new Set(kinds)]);
  expect(kinds).toContain("external_id");
}, 240_000);

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => request.once("end", () => resolve(Buffer.concat(chunks).toString())));
};
