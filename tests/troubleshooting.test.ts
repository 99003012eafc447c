import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCertificate } from "../reference/certificate.ts";
import { startReference } from "../reference/server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = await readFile(join(root, "docs/troubleshooting.md"), "utf8");
/** The examples of the page: a command, and lines that it prints. */
const examples = [...page.matchAll(/^```sh\n(.*?)\n```\n\n```text\n(.*?)\n```/gms)].map(
  ([, command = "", printed = ""]) => [command, printed] as const,
);

const apiKey = "pages-key-0123456789";
let folder = "";
let server: Awaited<ReturnType<typeof startReference>> | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fxconform-pages-"));
  const { key, cert, ca } = await makeCertificate();
  await writeFile(join(folder, "server.pem"), ca);
  server = await startReference({ tls: { key, cert }, apiKey, customerId: "cus_1" });
});

afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("every section with a command shows what it prints", () => {
  expect(examples).toHaveLength([...page.matchAll(/^```sh$/gm)].length);
});

test.each(examples)("%s", async (command, printed) => {
  const line = command
    .replace("npx fxconform", `"${process.execPath}" "${join(root, "dist/cli/bin.js")}"`)
    .replace("https://localhost:8443", server?.baseUrl ?? "");
  const env = { PATH: process.env["PATH"], FXCONFORM_API_KEY: apiKey };
  const output = await promisify(execFile)("sh", ["-c", line], { cwd: folder, env, timeout: 60_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr,
  );
  for (const expected of printed.split("\n")) expect(output).toContain(expected);
});
