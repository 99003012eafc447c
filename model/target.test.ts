import { expect, test } from "vitest";
import { isLoopback } from "./target.ts";

test.each(["localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])(
  "%s is loopback",
  (host) => expect(isLoopback(host)).toBe(true),
);

test.each([
  "example.com",
  "localhost.example.com",
  "notlocalhost",
  "127.0.0.1.example.com",
  "128.0.0.1",
  "1127.0.0.1",
  "127.0.0",
  "0.0.0.0",
  "[::2]",
  "10.0.0.1",
  "",
])("%s is not loopback", (host) => expect(isLoopback(host)).toBe(false));
