// Starts reference servers for measurements.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Starts a reference server in its own process. Resolves to the address of the server and a
 * function that ends it.
 */
export async function startServer(options) {
  const child = fork(fileURLToPath(new URL("./reference.mjs", import.meta.url)), [
    JSON.stringify(options),
  ]);
  const { baseUrl } = await new Promise((resolve) => child.once("message", resolve));
  return { baseUrl, close: async () => child.disconnect() };
}
