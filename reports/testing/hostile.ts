import { causesOf } from "../../model/conclusion/causes.ts";
import { other } from "../../model/mistake.ts";
import type { Finding, RecordedExchange, Run } from "../../model/run.ts";
import { runs } from "./runs.ts";

/** Strings that have broken readers of reports, each under the name of what it tries. */
export const corpus = {
  ansi: "\u001b[31mred\u001b[0m\u001b[2J\u001b[1;1H",
  c1: "\u009b31mred\u0085next",
  title: "\u001b]0;owned\u0007\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\",
  overwrite: "FAIL\rPASS\b\b\b\b",
  script: "</script><script>window.owned = true</script>",
  style: "</style><style>body{display:none}</style>",
  handler: `"><img src=x onerror="window.owned = true"><svg onload='window.owned = true'>`,
  attribute: `" autofocus onfocus="window.owned = true" x='`,
  url: "javascript:window.owned=true",
  comment: "--><!--<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
  cdata: "]]> <![CDATA[ ]]>",
  entities: "&lt;b&gt; &amp;amp; &#0; &#x1b;",
  surrogates: "\ud800 before < & \udc00 after \udfff\ud800",
  nul: "a\u0000b",
  nonCharacters: "\ufffe\uffff\ufeff",
  bidi: "\u202egnp.exe\u202c \u2066x\u2069 \u200f",
  invisible: "a\u200bb\u2060c\u00ad\u{e0041}",
  separators: "one\u2028two\u2029three\u000bfour\u000cfive",
  table: "a | b |\n| --- | --- |\n| c \\| d |",
  fence: "```\n````\n~~~\n</pre></details>\n# heading\n- item\n> quote",
  picture:
    "![x](https://evil.example/x.png) [y](javascript:alert(1)) <https://evil.example> www.evil.example",
  mention: "@everyone closes #1, $x$ :tada: **bold** _it_ ~~no~~",
  setext: "text\n===\n---\n***",
  command: "::add-mask::a\n::error file=x::y\n  ::set-output name=a::b\n::stop-commands::z",
  oldCommand:
    "##[command]rm ##vso[task.setvariable variable=a]b ##teamcity[buildStatus status='SUCCESS']",
  prototype: "__proto__",
  crlf: "a\r\nSet-Cookie: x=y\r\n\r\n<html>",
} as const satisfies Record<string, string>;

const long = 400_000;

/** The corpus, and lines of 400 KB, which every renderer must shorten. */
export const hostileStrings: readonly string[] = [
  ...Object.values(corpus),
  "A".repeat(long),
  "<".repeat(long),
  "`|\n".repeat(long / 3),
];

/** A run with `text` in every place that a server controls. */
export function hostileRun(text: string): Run {
  const { nonconformant } = runs;
  const hostile: Finding = {
    message: text,
    expected: text,
    actual: text,
    mistake: other("createOperation", text, text),
    pointer: `/${text}`,
    exchange: 6,
    operation: "createOperation",
    replay: "npx fxconform replay fxconform-report/report.json --only OPER-02",
    curl: `curl -d '${text}' https://fx.example:4010/corporate/operation/${text}`,
    repeated: text,
  };
  const exchanges: readonly RecordedExchange[] = nonconformant.exchanges.map((each) => ({
    ...each,
    intent: text,
    request: {
      ...each.request,
      url: `https://fx.example:4010/${text}`,
      headers: [[text, text]],
      body: text,
    },
    response: {
      status: 200,
      statusText: text,
      headers: [[text, text]],
      body: text,
      bodyBytes: text.length,
    },
    error: text,
    serverIds: [text],
  }));
  const requirements = nonconformant.requirements.map((row) => {
    if (row.findings.length > 0) return { ...row, findings: [hostile, hostile] };
    return row.verdict === "inconclusive" || row.verdict === "skip"
      ? { ...row, reason: text }
      : row;
  });
  return {
    ...nonconformant,
    summary: text,
    causes: causesOf(requirements),
    requirements,
    gate: {
      pass: false,
      reasons: [
        { kind: "nothing-tested", text },
        { kind: "statement", question: "OPEN-01", text },
      ],
      tolerated: [],
    },
    observations: [
      {
        id: "OPEN-01",
        question: "Which statuses do operations have?",
        answers: [{ case: `status ${text}`, answer: text, count: 3 }],
      },
    ],
    exchanges,
    created: [{ kind: "operation", id: text }],
    withheld: [text],
    warnings: [text],
  };
}
