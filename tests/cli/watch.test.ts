import { expect, test } from "vitest";
import { ended, key, servedCommand, start } from "./program.ts";
import { hasTerminal, onTerminal } from "./terminal.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

test.skipIf(!hasTerminal)(
  "three faults are fixed one after the other: each restart shows what was fixed and what still fails",
  async () => {
    const folder = temporaryFolder();
    const faults = ["operation-created-201", "operation-without-token", "operation-status-created"];
    const serve = async (port: string, left: readonly string[]) => {
      const words = ["serve", "--http", "--port", port, "--api-key", key, "--customer-id", "c1"];
      const server = start([...words, ...left.flatMap((fault) => ["--fault", fault])], folder);
      const served = await servedCommand(server);
      return { server, port: /localhost:(\d+)/.exec(served.join(" "))?.[1] ?? "", words: served };
    };
    const { port, words, ...served } = await serve("0", faults);
    let { server } = served;
    const { press, shows, ...session } = onTerminal([...words, "--watch", "--seed", "7", "--report-dir", "r"], folder);
    await shows(/3 failed/);
    await shows(/Waiting for a restart of the server/);
    for (let fixed = 1; fixed <= faults.length; fixed++) {
      server.child.kill("SIGINT");
      await ended(server);
      await shows(/accepts no connections: waiting for the server/);
      ({ server } = await serve(port, faults.slice(fixed)));
      await shows(/The server is back/);
      await shows(new RegExp(`Checking ${faults.length - fixed + 1} requirement`));
      await shows(/Checking everything/);
      await shows(
        fixed === faults.length ? /1 fixed\./ : new RegExp(`1 fixed, ${faults.length - fixed} still failing`),
      );
      await shows(/Waiting for a restart of the server/);
    }
    press("q");
    expect((await ended(session)).code, session.output.stdout).toBe(0);
    server.child.kill("SIGINT");
    await ended(server);
  },
  300_000,
);
