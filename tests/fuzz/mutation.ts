/** Returns a number below `n`; the same seed gives the same numbers. */
export type Dice = (n: number) => number;

/** The dice of one case. */
export const diceOf = (seed: number, index: number): Dice => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
};

/** The bytes with one to four changes. Some changes insert pieces of `other`. */
export const mutated = (bytes: Buffer, other: Buffer, dice: Dice): Buffer => {
  let result = bytes;
  for (let left = 1 + dice(4); left > 0; left -= 1) {
    const change = changes[dice(changes.length)];
    if (change !== undefined && result.length > 0) result = change(result, other, dice);
  }
  return result;
};

type Change = (bytes: Buffer, other: Buffer, dice: Dice) => Buffer;

const within = (bytes: Buffer, dice: Dice): readonly [number, number] => {
  const from = dice(bytes.length);
  return [from, from + dice(Math.min(40, bytes.length - from) + 1)];
};

const spliced = (bytes: Buffer, from: number, to: number, piece: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(to)]);

const changes: readonly Change[] = [
  // Flips a bit.
  (bytes, _, dice) => {
    const copy = Buffer.from(bytes);
    const at = dice(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << dice(8));
    return copy;
  },
  // Replaces a byte.
  (bytes, _, dice) => {
    const copy = Buffer.from(bytes);
    copy[dice(copy.length)] = dice(256);
    return copy;
  },
  // Removes a piece, repeats it, or cuts off the rest.
  (bytes, _, dice) => spliced(bytes, ...within(bytes, dice), Buffer.alloc(0)),
  (bytes, _, dice) => {
    const [from, to] = within(bytes, dice);
    return spliced(bytes, to, to, bytes.subarray(from, to));
  },
  (bytes, _, dice) => bytes.subarray(0, dice(bytes.length)),
  // Inserts a token that parsers treat specially, or overwrites bytes with it.
  (bytes, _, dice) => {
    const at = dice(bytes.length);
    return spliced(bytes, at, at, Buffer.from(words[dice(words.length)] ?? "", "latin1"));
  },
  (bytes, _, dice) => spliced(bytes, ...within(bytes, dice), Buffer.from(words[dice(words.length)] ?? "", "latin1")),
  // Inserts a piece of another response.
  (bytes, other, dice) => spliced(bytes, ...within(bytes, dice), other.subarray(...within(other, dice))),
  // Changes a digit.
  (bytes, _, dice) => {
    const digits = [...bytes.keys()].filter((at) => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39);
    const at = digits[dice(Math.max(1, digits.length))];
    if (at === undefined) return bytes;
    const copy = Buffer.from(bytes);
    copy[at] = 0x30 + dice(10);
    return copy;
  },
];

const words: readonly string[] = [
  "\r\n",
  "\r\n\r\n",
  "\0",
  "\xff\xfe",
  "\xed\xa0\x80",
  "\xef\xbb\xbf",
  '"',
  "{",
  "}",
  "[",
  "[[[[[[[[",
  ",",
  "null",
  "true",
  "-1",
  "1e999",
  "99999999999999999999",
  '"__proto__":',
  '"constructor":{"prototype":1},',
  '"\\ud800"',
  "\\u0000",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "content-length: 0\r\n",
  "content-length: 99999999999\r\n",
  "transfer-encoding: chunked\r\n",
  "transfer-encoding: gzip, chunked\r\n",
  "content-encoding: br\r\n",
  "content-encoding: deflate\r\n",
  "connection: close\r\n",
  "connection: upgrade\r\nupgrade: x\r\n",
  "retry-after: -1\r\n",
  "date: x\r\n",
  "fffffffffffffffff\r\n",
  "0\r\n\r\n",
];
