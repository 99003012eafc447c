import { expect, test } from "vitest";
import { proxyOf } from "./proxy.ts";

const proxied = { HTTPS_PROXY: "http://proxy.example:3128", HTTP_PROXY: "http://plain.example" };

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["https://fx.example", proxied, "http://proxy.example:3128 HTTPS_PROXY"],
  [
    "https://fx.example",
    { https_proxy: "proxy.example:8080", ...proxied },
    "http://proxy.example:8080 https_proxy",
  ],
  ["https://fx.example", { ALL_PROXY: "http://all.example" }, "http://all.example ALL_PROXY"],
  [
    "https://fx.example",
    { ALL_PROXY: "http://all.example", ...proxied },
    "http://proxy.example:3128 HTTPS_PROXY",
  ],
  ["https://localhost:4010", proxied, "HTTPS_PROXY does not apply to loopback addresses"],
])("%s with %j goes %s", (url, env, way) => {
  expect(wayOf(url, env)).toBe(way);
});

test.each([
  ["https://fx.example", "*", true],
  ["https://fx.example", "*.example", true],
  ["https://fx.example:8443", "fx.example:8443", true],
  ["https://fx.example:8443", "fx.example:443", false],
  ["https://10.1.2.3", "10.0.0.0/8", true],
  ["https://11.1.2.3", "10.0.0.0/8,10.0.0.0/99", false],
  ["https://[2001:db8::1]:8443", "[2001:db8::1]:8443", true],
])("%s with NO_PROXY=%s: direct is %s", (url, list, direct) => {
  const way = wayOf(url, { ...proxied, NO_PROXY: list });
  expect(way).toBe(
    direct ? "NO_PROXY takes the host out of HTTPS_PROXY" : "http://proxy.example:3128 HTTPS_PROXY",
  );
});

test.each(["#", "/", "?"])(
  "a password with %s says which character to encode, and no password",
  (sign) => {
    const read = (): string =>
      wayOf("https://fx.example", { HTTPS_PROXY: `http://me:pa${sign}ss@proxy.example` });
    expect(read).toThrow(`Write ${encodeURIComponent(sign)} for ${sign}.`);
    expect(read).not.toThrow(/pa.ss/);
  },
);

function wayOf(url: string, env: Readonly<Record<string, string>>): string {
  const { proxy, bypass } = proxyOf(new URL(url), undefined, env);
  return bypass ?? (proxy === undefined ? "direct" : `${proxy.url} ${proxy.from}`);
}
