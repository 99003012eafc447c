import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { toCurl } from "./curl.ts";
import type { SentRequest } from "../../model/exchange.ts";

const asIs = (text: string): string => text;

const json = [["Content-Type", "application/json"]] as const;

const request = (told: Partial<SentRequest> = {}): SentRequest => ({
  method: "POST",
  url: "https://fx.example/corporate/operation",
  headers: [],
  body: undefined,
  json: undefined,
  ...told,
});

/** The words that a shell hands to curl. */
const wordsOf = (command: string): readonly string[] => {
  const shown = `curl() { printf '%s\\0' "$@"; }; ${command}`;
  const env = { API_KEY: "the key", TOKEN: 'the "token"', PATH: process.env["PATH"] ?? "" };
  return execFileSync("sh", ["-c", shown], { env, encoding: "utf8" }).split("\0").slice(0, -1);
};

describe("a command that works in a shell", () => {
  test("method and address", () => {
    expect(wordsOf(toCurl(request({ method: "GET", url: "https://fx.example/batches?limit=1&x=%27" }), asIs))).toEqual([
      "-i",
      "-X",
      "GET",
      "https://fx.example/batches?limit=1&x=%27",
    ]);
  });

  test("headers, but for those that curl sets itself", () => {
    const headers = [
      ["User-Agent", "fxconform/1"],
      ["Accept", "application/json"],
      ["Accept-Encoding", "gzip"],
      ["Content-Length", "2"],
      ["HOST", "fx.example"],
      ["X-Odd", `it's $HOME \`id\` "quoted" \\ !`],
      ["X-Empty", ""],
    ] as const;
    expect(wordsOf(toCurl(request({ headers }), asIs)).slice(4)).toEqual([
      "-H",
      "Accept: application/json",
      "-H",
      `X-Odd: it's $HOME \`id\` "quoted" \\ !`,
      "-H",
      "X-Empty;",
    ]);
  });

  test.each([
    '{"name":"O\'Brien & Söhne; $(id) `id` \\\\ \\n"}',
    "{\n}",
    "'",
    "''''",
    "-d",
    "@/etc/hostname",
    "a\tb",
    "漢字 😀",
    "x".repeat(2000),
  ])("body %#", (text) => {
    const body = Buffer.from(text);
    expect(wordsOf(toCurl(request({ body, headers: json }), asIs)).slice(6)).toEqual(["--data-raw", text]);
  });

  test("a body of no type is given none", () => {
    const words = wordsOf(toCurl(request({ body: Buffer.from("{}") }), asIs));
    expect(words.slice(4)).toEqual(["-H", "Content-Type:", "--data-raw", "{}"]);
    expect(toCurl(request({ headers: [["x-api-key", "k"]] }), asIs)).not.toContain("Content-Type");
  });

  test("no body, or an empty one, is none", () => {
    expect(toCurl(request(), asIs)).not.toContain("--data");
    expect(toCurl(request({ body: Buffer.from("") }), asIs)).not.toContain("--data");
  });

  test("a long body is told by its size", () => {
    const body = Buffer.from("x".repeat(2001));
    expect(wordsOf(toCurl(request({ body, headers: json }), asIs)).slice(6)).toEqual([
      "--data-raw",
      "(2001 bytes, see the exchange)",
    ]);
  });
});

describe("secrets stand as shell variables", () => {
  const redact = (text: string): string => text.replaceAll("K3Y", "[API key]").replaceAll("T0K", "[token]");

  test("in the headers that carry them", () => {
    const headers = [
      ["x-api-key", "K3Y"],
      ["Authorization", "Bearer T0K"],
    ] as const;
    const command = toCurl(request({ headers }), redact);
    expect(command).toBe(
      `curl -i -X POST 'https://fx.example/corporate/operation' -H "x-api-key: $API_KEY" -H "Authorization: Bearer $TOKEN"`,
    );
    expect(wordsOf(command).slice(4)).toEqual(["-H", "x-api-key: the key", "-H", 'Authorization: Bearer the "token"']);
  });

  test("as labels everywhere else", () => {
    const headers = [
      ["x-api-key", "K3Yx"],
      ["Authorization", "Basic T0K"],
      ["X-Other", "K3Y"],
    ] as const;
    const told = request({ url: "https://fx.example/T0K", headers, body: Buffer.from("K3Y T0K") });
    expect(wordsOf(toCurl(told, redact)).slice(2)).toEqual([
      "POST",
      "https://fx.example/[token]",
      "-H",
      "x-api-key: [API key]x",
      "-H",
      "Authorization: Basic [token]",
      "-H",
      "X-Other: [API key]",
      "-H",
      "Content-Type:",
      "--data-raw",
      "[API key] [token]",
    ]);
  });
});
