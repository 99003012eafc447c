import { expect, test } from "vitest";
import { pageTitleIn } from "./exchange.ts";

test.each([
  ["<!DOCTYPE html>\n<title>TypeError at &#x2F;batches</title><h1>x</h1>", "TypeError at /batches"],
  ["<html><body><h1 class=big>Internal <b>Server</b>\n Error</h1></body>", "Internal Server Error"],
  ["<html><p>nothing</p></html>", ""],
  ["<html><title>&#1114112;</title>", "&#1114112;"],
  [`<html><title>${"a".repeat(600)}</title>`, "a".repeat(600)],
  ["Internal Server Error", undefined],
])("of %j, the title is %j", (text, title) => {
  expect(pageTitleIn(text)).toBe(title);
});
