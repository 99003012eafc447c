import type { Part } from "../kit/index.ts";

/** Headers that any client may send, with values that usual clients send (INT-66). */
const values: Readonly<Record<string, readonly string[]>> = {
  "Accept-Language": ["de-DE, de;q=0.9", "pt-BR, pt;q=0.9", "fr", "ar"],
  Accept: [
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "application/json, text/plain, */*",
    "*/*",
    "application/json;q=0.5",
  ],
  "Accept-Encoding": ["gzip, deflate, br", "identity", "br", "gzip;q=0.1, *;q=0"],
  "Accept-Charset": [
    "iso-8859-1, utf-8;q=0.1",
    "windows-1252, *;q=0.1",
    "us-ascii, utf-8;q=0.7",
    "utf-8",
  ],
  "User-Agent": [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "python-requests/2.32.3",
    "okhttp/4.12.0",
    "curl/8.5.0",
  ],
  Cookie: ["session=none; other=", "lang=de", "JSESSIONID=0000", 'theme="dark"'],
  "If-None-Match": ['"none"', 'W/"none"', '"none", "other"', '"0"'],
  "If-Modified-Since": ["Sat, 01 Jan 2000 00:00:00 GMT", "none"],
  Range: ["bytes=0-9", "bytes=0-"],
  Prefer: ["return=representation", "handling=strict", "wait=10", "handling=lenient"],
  "X-Forwarded-For": ["203.0.113.7", "unknown, 10.0.0.1", "2001:db8::7"],
  "X-Forwarded-Proto": ["https"],
  Forwarded: ["for=203.0.113.7;proto=https", "for=unknown"],
  "X-Request-Id": ["'--", "7"],
  traceparent: ["00-00000000000000000000000000000000-0000000000000000-00"],
  Origin: ["https://example.com"],
  "Upgrade-Insecure-Requests": ["1"],
  "Content-Type": ["application/json"],
};

/** A header with a value. */
export interface HeaderPart extends Part {
  readonly value: string;
}

/** Each value of each header. Those of one header go in different requests. */
export const usualHeaders: readonly HeaderPart[] = Object.entries(values).flatMap(
  ([place, ofHeader]) => ofHeader.map((value) => ({ kind: `${place}: ${value}`, place, value })),
);
