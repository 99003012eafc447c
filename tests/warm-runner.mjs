// A process that runs the built program repeatedly; `warm-program.ts` starts it.

// The messages of the program name it as it was started.
process.argv[1] = process.argv[2] ?? process.argv[1];
const { createWarmEngine } = await import("../dist/engine/server/run.js");
const { main } = await import("../dist/cli/main.js");
const { modules, processIo } = await import("../dist/cli/output/io.js");

// How many threads were started. Later commands need no further thread.
let threads = 0;
process.on("worker", () => (threads += 1));
const engine = createWarmEngine();

process.on("disconnect", () => process.exit());
process.on("message", (order) => void answer(order));

async function answer({ words, cwd, env }) {
  const written = { stdout: "", stderr: "" };
  const io = {
    ...processIo(),
    modules: { ...modules, run: async () => engine.run },
    cwd,
    env,
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
  };
  const code = await main(words, io);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.send({ code, ...written, megabytes, threads });
}
