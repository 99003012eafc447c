import { get } from "node:http";
import { describe, expect, it } from "vitest";
import { makeCertificate } from "../certificate.ts";
import { startReference } from "../server.ts";
import { transcriptOf } from "../testing/transcript.ts";
import { faults } from "./index.ts";
import type { Fault } from "./index.ts";

const options = { apiKey: "Key-Of-The-Tests-01", customerId: "customer-1" };

const transcriptWith = async (fault?: Fault): Promise<readonly string[]> => {
  const reference = await startReference({ ...options, faults: fault ? [fault.id] : [] });
  try {
    return await transcriptOf({ ...options, baseUrl: reference.baseUrl }, fault?.slow ? 150 : 5_000);
  } finally {
    await reference.close();
  }
};

describe("every fault changes the transcript", () => {
  it("where there is none, nothing shows", async () => {
    expect(await transcriptWith()).toEqual(await transcriptWith());
  });

  const overHttp = faults.filter(({ needs }) => needs?.https !== true);

  it("where there is one, something shows", { timeout: 120_000 }, async () => {
    const obeying = await transcriptWith();
    const silent: string[] = [];
    const queue = [...overHttp];
    const work = async (): Promise<void> => {
      for (let fault = queue.pop(); fault !== undefined; fault = queue.pop())
        if (JSON.stringify(await transcriptWith(fault)) === JSON.stringify(obeying)) silent.push(fault.id);
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect(silent).toEqual([]);
  });

  it.each(faults.filter(({ needs }) => needs?.https === true))(
    "$id shows on the port that speaks TLS",
    async ({ id }) => {
      const { key, cert } = await makeCertificate();
      const reference = await startReference({ ...options, tls: { key, cert }, faults: [id] });
      const status = await new Promise((resolve, reject) => {
        get(`http://localhost:${reference.port}/auth/token`, (response) => resolve(response.resume().statusCode)).on(
          "error",
          reject,
        );
      });
      expect(status).toBe(405);
      await reference.close();
    },
  );
});
