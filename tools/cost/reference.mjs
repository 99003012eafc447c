// A reference server in its own process, so that its CPU time does not count as that of the suite.
// Sends its address to the parent process.
import { startReference } from "../../dist/reference/server.js";
import { customerId } from "../reference-run.mjs";

const server = await startReference({ customerId, ...JSON.parse(process.argv[2]) });
process.send({ baseUrl: server.baseUrl });
process.on("disconnect", () => process.exit());
