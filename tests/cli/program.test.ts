import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderers } from "../../reports/index.ts";
import { makeCertificate } from "../../reference/certificate.ts";
import { bin, ended, inShell, interrupted, reportIn, servedCommand, start } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { listening } from "../../model/testing/listening.ts";

test("an error before a command starts is an internal error: one line, no stack trace", async () => {
  const folder = temporaryFolder();
  const gone = join(folder, "gone");
  mkdirSync(gone);
  const nowhere = await inShell(`rmdir "${gone}" && "${process.execPath}" "${bin}" list`, gone);
  expect(nowhere).toMatchObject({ code: 4, stdout: "" });
  expect(nowhere.stderr).toMatch(
    /^fxconform: internal error, no verdict: the working directory cannot be read/,
  );
  // A copy of the program without its dependencies.
  cpSync(join(bin, "..", ".."), join(folder, "dist"), { recursive: true });
  const bare = await inShell(`"${process.execPath}" dist/cli/bin.js list`, folder);
  expect(bare).toMatchObject({ code: 4, stdout: "" });
  expect(bare.stderr).toMatch(
    /^fxconform: internal error, no verdict: Cannot find package 'commander'/,
  );
  for (const { stderr } of [nowhere, bare]) {
    expect(stderr).not.toMatch(/^ +at /m);
    rmSync(/are in (.*)/.exec(stderr)?.[1] ?? "");
  }
});

test("a result that cannot be written completely exits with 4; a reader that closes the pipe does not change the exit code", async () => {
  const folder = temporaryFolder();
  const list = `"${process.execPath}" "${bin}" list`;
  // The limit counts blocks of 512 bytes, or of 1024 bytes in bash.
  const cut = await inShell(`ulimit -f 4; ${list} > cut.txt`, folder);
  expect(cut).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^fxconform: standard output .* not complete\.\n$/),
  });
  expect(await inShell(`${list} | head -1 > /dev/null; exit $?`, folder)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await inShell(`(${list}; echo $? > code.txt) | true`, folder)).toMatchObject({
    stderr: "",
  });
  expect(readFileSync(join(folder, "code.txt"), "utf8")).toBe("0\n");
  if (!existsSync("/dev/full")) return;
  expect(await inShell(`${list} > /dev/full`, folder)).toMatchObject({
    code: 4,
    stderr: cut.stderr.replace("EFBIG", "ENOSPC"),
  });
  expect(await inShell(`${list} 2> /dev/full > /dev/null`, folder)).toMatchObject({ code: 0 });
  expect(await inShell(`${list} --nothing > /dev/full 2> /dev/full`, folder)).toMatchObject({
    code: 2,
  });
});

test("the lines that serve prints are a run that ends with 0, and its replay needs nothing more", async () => {
  const folder = temporaryFolder();
  const server = start(["serve", "--fault", "operation-created-201"], folder);
  await servedCommand(server);
  const lines = server.output.stdout.trimEnd();
  expect(lines).toMatch(/^export FXCONFORM_API_KEY=serve-\w+\nnode \S+ run --base-url [^\n]+$/);
  expect(lines).not.toContain("--api-key");
  const failed = await inShell(`${lines} --only OPER-01`, folder);
  expect(failed.code, failed.stderr).toBe(1);
  const replay = /^ {2}replay +(.*)$/m.exec(failed.stdout)?.[1] ?? "";
  expect(await inShell(`${lines.split("\n")[0]}\n${replay}`, folder)).toMatchObject({ code: 1 });
  const { code, stdout } = await inShell(`${lines} --only AUTH-01`, folder);
  expect(code, stdout).toBe(0);
  expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([
    expect.stringContaining("partial"),
    "✓ The gate passes.",
  ]);
  // A later run keeps the report of the run before.
  const besides = ["replay", "previous.json"];
  const kept = readdirSync(join(folder, "fxconform-report")).filter(
    (name) => !besides.includes(name),
  );
  expect(kept).toHaveLength(Object.keys(renderers).length);
  expect((await interrupted(server)).code).toBe(0);
});

test("--ca is trusted besides NODE_EXTRA_CA_CERTS, by the preflight and by the run", async () => {
  const folder = temporaryFolder();
  const its = await makeCertificate();
  const another = await makeCertificate();
  writeFileSync(join(folder, "its.pem"), its.cert);
  writeFileSync(join(folder, "another.pem"), another.cert);
  const server = createSecureServer({ cert: its.cert, key: its.key }, (_, response) => {
    const body = { token: "token-0123456789", batches: [], count: 0, total: 0 };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const words = ["--base-url", baseUrl, "--profile", "smoke", "--ca", join(folder, "another.pem")];
  const env = { NODE_EXTRA_CA_CERTS: join(folder, "its.pem") };
  const { code, stdout } = await ended(start(["doctor", ...words], folder, { env }));
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(", trusted,");
  await ended(start(["run", ...words, "--only", "AUTH-01"], folder, { env }));
  expect(reportIn(folder).requirements.find(({ id }) => id === "AUTH-01")?.verdict).toBe("pass");
}, 30_000);
