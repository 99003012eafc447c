import { inject } from "vitest";
import type { BundledDocument, WorkerPreparation } from "../harness/worker-input.ts";
import type { ContractDocument } from "../spec/contract.ts";

/** What this thread has from its start. */
export const preparation = (): WorkerPreparation => inject("fxconform" as never);

/** The contract, which the main thread bundles while this thread loads the suites. Rejects where it cannot be bundled. */
export const contractDocument = (): Promise<ContractDocument> => (document ??= requested());

let document: Promise<ContractDocument> | undefined;

const requested = (): Promise<ContractDocument> =>
  new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(preparation().contract);
    channel.onmessage = (event) => {
      const { data } = event as { data: BundledDocument };
      channel.close();
      if ("document" in data) resolve(data.document);
      else reject(new Error(data.error));
    };
    channel.postMessage("begun");
  });
