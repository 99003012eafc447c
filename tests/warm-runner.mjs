// A process that runs the built program repeatedly; `warm-program.ts` starts it.

// Its messages name the program as it was started.
process.argv[1] = process.argv[2] ?? process.argv[1];
const { createWarmEngine } = await import("../dist/engine/server/run.js");
const { main } = await import("../dist/cli/main.js");
const { modules, processIo } = await import("../dist/cli/output/io.js");

const engine = createWarmEngine();

process.on("disconnect", () => process.exit());
process.on("message", (order) => void answer(order));

async function answer({ words, cwd, env }) {
  const written = { stdout: "", stderr: "" };
  const io = {
    ...processIo(),
    cwd,
    env,
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
  };
  const code = await main(words, io, { ...modules, run: async () => engine.run });
  process.send({ code, ...written, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) });
}
