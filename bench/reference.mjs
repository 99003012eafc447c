// A reference server in a process of its own, so that its CPU time is not that of the suite. Prints its address.
import { startReference } from "../dist/reference/server.js";

const server = await startReference(JSON.parse(process.argv[2]));
process.send({ baseUrl: server.baseUrl });
process.on("disconnect", () => process.exit());
