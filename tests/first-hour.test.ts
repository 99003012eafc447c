import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { createWarmProgram } from "./warm-program.ts";
import { root } from "./execution.ts";

const path = join(root, "docs/first-hour.md");
const page = await readFile(path, "utf8");
const apiKey = "key-of-the-first-hour";
const program = createWarmProgram();
afterAll(program.close);

interface Printed {
  readonly code: number | null;
  readonly lines: readonly string[];
  /** The block of each mistake, by the first line of the block without its numbers. */
  readonly blocks: ReadonlyMap<string, readonly string[]>;
}

/**
 * The page contains what the runs print. `npx vitest run tests/first-hour.test.ts -u` writes it
 * again.
 */
test(
  "the first run shows six blocks, and each change of the page mends one",
  { timeout: 600_000 },
  async () => {
    let source = await readFile(join(root, "templates/first-hour/server.mjs"), "utf8");
    const first = await runAgainst(source);
    expect(first.code).toBe(1);
    let left = [...first.blocks.keys()];
    const changes = [...page.matchAll(/```diff\n(.*?)```/gs)].map(([, text = ""]) => text);
    expect(left).toHaveLength(6);
    expect(changes).toHaveLength(6);
    let last = first;
    for (const change of changes) {
      source = changed(source, change);
      last = await runAgainst(source);
      left = left.slice(1);
      expect([...last.blocks.keys()]).toEqual(left);
    }
    expect(last.code, last.lines.join("\n")).toBe(0);
    const results = first.lines.slice(first.lines.findLastIndex((line) => line === "") + 1);
    const shown = [
      [...[...first.blocks.values()].map(([line]) => line), "", ...results],
      ...first.blocks.values(),
      last.lines.slice(0, -1).filter((line) => !line.startsWith("  replay")),
    ];
    const texts = shown.values();
    const rewritten = page.replaceAll(/```text\n.*?```/gs, () => {
      const lines = texts.next().value ?? [];
      return `\`\`\`text\n${lines.join("\n")}\n\`\`\``;
    });
    await expect(rewritten).toMatchFileSnapshot(path);
  },
);

/** The source after a change, which is written as a diff. */
function changed(source: string, diff: string): string {
  const lines = diff.trimEnd().split("\n");
  const of = (signs: string): string =>
    lines
      .filter((line) => signs.includes(line.charAt(0)))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const parts = source.split(of(" -"));
  expect(parts, `what a change replaces stands once in the server:\n${diff}`).toHaveLength(2);
  return parts.join(of(" +"));
}

/** Starts the server, and runs the command of the page against it. */
async function runAgainst(source: string): Promise<Printed> {
  const folder = temporaryFolder();
  await writeFile(join(folder, "server.mjs"), source);
  const env = {
    ...process.env,
    FXCONFORM_API_KEY: apiKey,
    FXCONFORM_RUNS: "2",
    FXCONFORM_SEED: "1",
  };
  const server = spawn(process.execPath, ["server.mjs", "0"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [address] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    const command = /^npx fxconform (run .*)$/m.exec(page)?.[1] ?? "";
    const words = command.replace("http://localhost:8080", address).split(" ");
    const { code, stdout } = await program.run(words, { cwd: folder, env });
    const lines = stdout.trimEnd().split("\n").map(alike);
    return { code, lines, blocks: blocksOf(lines) };
  } finally {
    server.kill();
  }
}

/** A line without the parts that differ from run to run: the first of several requests is shown. */
function alike(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, "2026-12-01T10:15:00")
    .replace(/\d+ of \d+ (?!MUST)/g, "… of … ")
    .replace(/\d+ passed/, "… passed")
    .replace(/^( {2}request .* with the purpose ).*/, "$1IMPORT")
    .replace(/ · \d+ requests .*$/, " · …");
}

/**
 * The blocks in these lines. A block begins with a requirement that fails, and ends with an empty
 * line.
 */
function blocksOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, readonly string[]>();
  for (const [index, line] of lines.entries()) {
    if (!/^✗ [A-Z]+-\d\d /.test(line)) continue;
    const end = lines.indexOf("", index);
    blocks.set(
      line,
      lines
        .slice(index, end)
        .filter((one) => !/^ {2}(replay|as well .* with the purpose) /.test(one)),
    );
  }
  return blocks;
}
