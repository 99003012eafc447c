import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SentRequest } from "../exchange.ts";
import type { Fields } from "../request.ts";
import { http, rawServer } from "../testing/raw-server.ts";
import { secretsOf, type Target } from "../target.ts";
import { createRedaction } from "./redaction.ts";
import { toCurl, tokenLine } from "./curl.ts";

const asIs = (text: string): string => text;
const env = {
  PATH: process.env["PATH"] ?? "",
  API_KEY: "the key",
  TOKEN: 'the "token"',
  FXCONFORM_API_KEY: "k3y/'$x",
  no_proxy: "*",
};
const needsCurl = { tags: "curl" } as const;
async function run(command: string): Promise<string> {
  return (
    await promisify(execFile)("sh", ["-c", command], {
      env,
      timeout: 20_000,
      maxBuffer: 10_000_000,
    })
  ).stdout;
}

let server: Awaited<ReturnType<typeof rawServer>>;
let answer: Buffer = http("200 OK", {}, "{}");
beforeAll(async () => {
  server = await rawServer(({ socket }) => void socket.end(answer));
});
afterAll(() => server.close());

const headers: Fields = [
  ["User-Agent", "fxconform/1 (run 7)"],
  ["Accept", "application/json"],
  ["Accept-Encoding", "gzip"],
];
const json = [...headers, ["Content-Type", "application/json"]] as const;

function request(overrides: Partial<SentRequest> = {}): SentRequest {
  return {
    method: "POST",
    url: `${server.baseUrl}/corporate/operation`,
    headers,
    body: undefined,
    json: undefined,
    ...overrides,
  };
}

/**
 * What a server receives when a shell runs the command: the request line, the headers except for
 * the host, and the bytes of the body.
 */
async function received(command: string) {
  const before = server.requests.length;
  await run(command);
  const text = server.requests[before] ?? "";
  const end = text.indexOf("\r\n\r\n");
  const [line, ...fields] = text.slice(0, end).split("\r\n");
  const wanted = fields.filter((field) => !field.startsWith("Host: "));
  return { line, fields: wanted, body: Buffer.from(text.slice(end + 4), "latin1") };
}

function bytesOf(...parts: readonly (string | number[])[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

const deep = `{"a":1,"note":${"[".repeat(3000)}${"]".repeat(3000)}}`;

describe("what a shell sends is what was sent, to the byte", () => {
  test.each<readonly [string, Buffer]>([
    [
      "quotes and what shells expand",
      bytesOf(`{"name":"O'Brien & $HOME; $(id) \`id\` \\\\ \\n ! ''''"}`),
    ],
    ["every byte", Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256))],
    ["nested 3,000 deep", bytesOf(deep)],
  ])("%s", needsCurl, async (_, body) => {
    const command = toCurl(request({ body, headers: json }), asIs);
    const { line, fields, body: arrived } = await received(command);
    expect(line).toBe("POST /corporate/operation HTTP/1.1");
    expect(fields.toSorted()).toEqual(
      [...json, ["Content-Length", String(body.length)] as const]
        .map((field) => field.join(": "))
        .toSorted(),
    );
    expect(arrived.equals(body)).toBe(true);
    expect(command.length).toBeLessThan(Math.max(5000, body.length * 2));
  });
});

test.each([
  [{ caFile: "ca.pem", insecure: true }, "-k"],
  [
    {
      proxy: { url: "https://p:1", from: "", credentials: { user: "u", password: "word" } },
      caFile: "ca.pem",
    },
    `--cacert 'ca.pem' --proxy-cacert 'ca.pem' --proxy 'https://p:1' --proxy-user "$PROXY_USER" --noproxy ''`,
  ],
  [{ bypass: "HTTPS_PROXY does not apply" }, "--noproxy '*'"],
])("a server is reached as %j says", (trust, flags) => {
  const command = toCurl(request({ url: "https://fx.example/batches" }), asIs, trust);
  expect(command).toContain(`curl -sS -i --http1.1 ${flags} --compressed -X`);
});

test("the token line reads the token of the response", needsCurl, async () => {
  const headers = { "Content-Type": "application/json" };
  answer = http("200 OK", headers, '{"token":"abc.d-e_f"}');
  const before = server.requests.length;
  const line = tokenLine({ baseUrl: server.baseUrl });
  expect(await run(`${line}; printf %s "$TOKEN $API_KEY"`)).toBe("abc.d-e_f k3y/'$x");
  expect(server.requests[before]).toMatch(/^POST \/auth\/token HTTP\/1\.1\r\n/);
  expect(server.requests[before]).toContain("x-api-key: k3y/'$x\r\n");
});

describe("added headers", () => {
  const added = [
    { name: "X-Gateway-Key", value: "the-gateway-key", source: "env:GATEWAY_KEY" },
    { name: "X-From-File", value: "of-the-file", source: "file:/a b.txt" },
    { name: "X-Typed", value: "typed-value" },
  ];
  const target = {
    baseUrl: "https://fx.example",
    apiKey: "the-key-of-the-api",
    headers: added,
  } as unknown as Target;

  test("stand as shell variables in a request", () => {
    const { redact } = createRedaction(undefined, secretsOf(target));
    const sent = added.map(({ name, value }) => [name, value] as const);
    const command = toCurl(request({ headers: sent }), redact, target);
    expect(command).toContain('-H "X-Gateway-Key: $HEADER_X_GATEWAY_KEY"');
    expect(command).not.toMatch(/the-gateway-key|of-the-file|typed-value/);
  });

  test("are set by the token line from where their values were read", needsCurl, async () => {
    const line = tokenLine(target);
    expect(line).toContain(`HEADER_X_FROM_FILE=$(cat '/a b.txt'); `);
    expect(line).toContain('-H "X-Typed: $HEADER_X_TYPED"');
    expect(line).not.toMatch(/the-gateway-key|of-the-file|typed-value/);
    const before = server.requests.length;
    await run(
      `GATEWAY_KEY=k; ${tokenLine({ baseUrl: server.baseUrl, headers: added.slice(0, 1) })}`,
    );
    expect(server.requests[before]).toContain("X-Gateway-Key: k\r\n");
  });
});

test("a command whose address is too long is absent, because a part of it would send something else", () => {
  const url = `https://fx.test/customers/${"x".repeat(8000)}`;
  expect(
    toCurl({ method: "GET", url, headers: [], body: undefined, json: undefined }, (text) => text),
  ).toBe("");
});

test("a request that follows a good one on its connection is sent after it", () => {
  const command = toCurl(
    {
      method: "GET",
      url: "http://127.0.0.1:4010/batches",
      headers: [
        ["Accept", "application/json"],
        ["User-Agent", "fxconform"],
        ["Authorization", "Bearer ABC"],
      ],
      body: undefined,
      json: undefined,
      isAfterGood: true,
      tokenInShell: "$(made of $TOKEN)",
    },
    (text) => text,
  );
  const start = "-sS -i -X GET 'http://127.0.0.1:4010/batches' -H 'Accept: application/json'";
  expect(command).toBe(
    `curl ${start} -H 'User-Agent: fxconform' -H "Authorization: Bearer $TOKEN" -o /dev/null ` +
      `--next ${start} -H 'User-Agent: fxconform' -H "Authorization: Bearer $(made of $TOKEN)"`,
  );
});
