import { expect, test } from "vitest";
import { jsonLines } from "./exchange.ts";

function linesOf(text: string): readonly string[] | undefined {
  return jsonLines(text)?.map(({ line, pointer }) => `${line} @${pointer ?? "-"}`);
}

test.each([
  ["", undefined],
  ["{", undefined],
  ["NaN", undefined],
  ["1.0", ["1.0 @"]],
  ["[]", ["[] @"]],
  ['{"a":1.0,"a":2}', ["{ @", '  "a": 1.0, @/a', '  "a": 2 @/a', "} @-"]],
  [
    '[{}, [ ] ,{"b/~":["x: {"]}]',
    [
      "[ @",
      "  {}, @/0",
      "  [], @/1",
      "  { @/2",
      '    "b/~": [ @/2/b~1~0',
      '      "x: {" @/2/b~1~0/0',
      "    ] @-",
      "  } @-",
      "] @-",
    ],
  ],
  [
    '{"a: b":{"c":null}}',
    ["{ @", '  "a: b": { @/a: b', '    "c": null @/a: b/c', "  } @-", "} @-"],
  ],
])("%j", (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});
