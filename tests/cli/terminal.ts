import { bin, started } from "./program.ts";

/** Starts the program in a new terminal, which `script` provides: the tag of the tests that need it. */
export function onTerminal(words: readonly string[], folder: string) {
  const line = ["exec", process.execPath, bin, ...words]
    .map((word) => `'${word}'`)
    .join(" ")
    .replace("'exec'", "exec");
  const session = started("script", ["-qfec", line, "/dev/null"], folder, { env: { TERM: "xterm", NO_COLOR: "1" } });
  let read = 0;
  return {
    ...session,
    press: (text: string) => void session.child.stdin?.write(text),
    /** Waits for a text after the one that the last call waited for. */
    shows: async (wanted: RegExp): Promise<string> => {
      for (;;) {
        const [found, index] = ((match) => [match?.[0], match?.index ?? 0])(
          wanted.exec(session.output.stdout.slice(read)),
        );
        if (found !== undefined) {
          read += index + found.length;
          return found;
        }
        if (session.child.exitCode !== null) throw new Error(`It ended first:\n${session.output.stdout}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
  };
}
