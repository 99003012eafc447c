import { expect, test } from "vitest";
import { ended, interrupted, serveFaults } from "./program.ts";
import { onTerminal } from "./terminal.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

test(
  "two faults are fixed one after the other: each restart shows what was fixed and what still fails",
  { timeout: 300_000, tags: "script" },
  async () => {
    const folder = temporaryFolder();
    const faults = ["operation-created-201", "operation-status-created"];
    const { port, words, ...served } = await serveFaults(folder, faults);
    let { server } = served;
    const { press, shows, ...session } = onTerminal([...words, "--watch", "--seed", "7", "--runs", "2"], folder);
    await shows(/2 failed/);
    await shows(/Waiting for a restart of the server/);
    for (let fixed = 1; fixed <= faults.length; fixed++) {
      await interrupted(server);
      await shows(/accepts no connections: waiting for the server/);
      ({ server } = await serveFaults(folder, faults.slice(fixed), port));
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
    await interrupted(server);
  },
);
