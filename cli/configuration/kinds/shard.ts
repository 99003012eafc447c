import type { Shard } from "../../../model/target.ts";
import { Misfit, type Kind } from "./kind.ts";

/** `2/3`: the second of three shards. */
export const shard: Kind<Shard> = {
  ofText,
  ofFile: ofText,
  schema: { type: "string", pattern: `^\\s*(?:${texts().join("|")})\\s*$` },
  toText: ({ index, count }) => `${index}/${count}`,
};

function ofText(value: unknown): Shard {
  const [, index, count] = (typeof value === "string" && /^([1-9]\d?)\/([1-9]\d?)$/.exec(value.trim())) || [];
  if (index === undefined || count === undefined || Number(index) > Number(count)) {
    throw new Misfit("a shard such as 1/3, the first number not above the second, at most 99");
  }
  return { index: Number(index), count: Number(count) };
}

/** Regular expressions of shards up to 99, the first number never above the second. */
function texts(): readonly string[] {
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const sameTens = [0, ...digits].map((digit) => `${digit}/\\1[${digit}-9]`);
  return [
    "[1-9]/[1-9]\\d",
    ...digits.map((digit) => `${digit}/[${digit}-9]`),
    ...digits.slice(0, -1).map((tens) => `${tens}\\d/[${tens + 1}-9]\\d`),
    `([1-9])(?:${sameTens.join("|")})`,
  ];
}
