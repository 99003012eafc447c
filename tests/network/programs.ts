import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

/** A system program that listens on a port. */
export interface Program {
  readonly port: number;
  /** Its folder. */
  readonly folder: string;
}

/** A free port. */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
};

/**
 * Starts a program with a configuration file in the foreground, and waits until it listens. The end of the test stops it.
 * Its name is a tag of the tests that need it.
 */
const started = async (
  program: string,
  words: (path: string) => readonly string[],
  configuration: (port: number, folder: string) => string,
  files: Readonly<Record<string, string>>,
): Promise<Program> => {
  const folder = temporaryFolder();
  const port = await freePort();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const path = join(folder, "configuration");
  writeFileSync(path, configuration(port, folder));
  const child = spawn(program, words(path), { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<string>((done) => {
    child.once("error", ({ message }) => done(message));
    child.once("close", (code) => done(`${program} ended with ${code}: ${output}`));
  });
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  for (let end: string | undefined; !(await listens(port));) {
    end = await Promise.race([ended, new Promise<undefined>((done) => setTimeout(() => done(undefined), 50))]);
    if (end !== undefined) throw new Error(end);
  }
  return { port, folder };
};

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => done(true)).once("error", () => done(false));
    socket.once("connect", () => socket.destroy());
  });

/** nginx with one server; `directives` may hold locations. The files `server.pem` and `server.key` are there for TLS. */
export const nginx = (
  { http = "", server }: { readonly http?: string; readonly server: string },
  tls: Readonly<Record<string, string>>,
): Promise<Program> =>
  started(
    "nginx",
    (path) => ["-e", "stderr", "-c", path],
    (port, folder) => `
      daemon off; master_process off; error_log stderr; pid ${folder}/pid;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        ${http}
        server {
          listen 127.0.0.1:${port} ssl;
          ssl_certificate ${folder}/server.pem; ssl_certificate_key ${folder}/server.key;
          ${server}
        }
      }`,
    tls,
  );

/** HAProxy with one front end, and that port as its back end. */
export const haproxy = (
  { frontend, upstream }: { readonly frontend: string; readonly upstream: number },
  tls: Readonly<Record<string, string>>,
): Promise<Program> =>
  started(
    "haproxy",
    (path) => ["-db", "-f", path],
    (port, folder) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend in
  bind 127.0.0.1:${port} ssl crt ${folder}/both.pem
  ${frontend
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .join("\n  ")}
  default_backend api
backend api
  server one 127.0.0.1:${upstream}
`,
    { ...tls, "both.pem": `${tls["server.pem"]}\n${tls["server.key"]}\n` },
  );

/** tinyproxy with CONNECT to any port; its log is the file `log` in its folder. */
export const tinyproxy = (directives = ""): Promise<Program> =>
  started(
    "tinyproxy",
    (path) => ["-d", "-c", path],
    (port, folder) => `
Port ${port}
Listen 127.0.0.1
Timeout 60
LogFile "${folder}/log"
LogLevel Connect
MaxClients 50
${directives}
`,
    {},
  );
