import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

/**
 * Starts nginx with one server until the test ends, and returns its port; `server` may hold locations. The files
 * `server.pem` and `server.key` are there for TLS.
 */
export const nginx = async (
  { http = "", server }: { readonly http?: string; readonly server: string },
  files: Readonly<Record<string, string>>,
): Promise<number> => {
  const folder = temporaryFolder();
  const port = await freePort();
  const configuration = `
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
    }`;
  for (const [name, text] of Object.entries({ ...files, configuration }))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  const words = ["-e", "stderr", "-c", join(folder, "configuration")];
  const child = spawn("nginx", words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((done) => child.once("error", done).once("close", done));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${output}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return port;
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
};

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true)).on("error", () => done(false));
    socket.once("connect", () => socket.destroy());
  });
