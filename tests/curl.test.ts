import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import type { Finding, Run } from "../model/run.ts";
import { referenceRuns } from "./reference-run.ts";

const apiKey = "curl-test-key-8f2c";
const { against, fxconform } = referenceRuns(apiKey);

/** Faults that together cause at least twenty failures. */
const faults = [
  "operation-invalid-422",
  "list-empty-for-strangers",
  "acam-message-full-stop",
  "acam-status-ok",
  "batch-pair-slash",
  "counterparty-error-renamed",
  "counterparty-external-id-null",
];

interface Response {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

test("the printed curl commands get the same responses as the run", { timeout: 120_000, tags: "curl" }, async () => {
  const pairs = await against({ faults }, async (words) => {
    const { run } = await fxconform(["run", ...words]);
    const failures = run.requirements
      .filter(({ verdict }) => verdict === "fail")
      .flatMap(({ id, findings }) => {
        // A body that the report cuts cannot be compared.
        const finding = findings.find((one) => one.curl !== "" && !exchangeOf(run, one)?.response?.body.endsWith("…"));
        return finding === undefined ? [] : [{ id, finding }];
      });
    expect(failures.length).toBeGreaterThanOrEqual(20);
    const made = [];
    for (const { id, finding } of failures) {
      const text = await shell(`${run.tokenCommand ?? ""}\n${finding.curl}`);
      made.push({ id, before: recorded(run, finding), now: parsed(text) });
    }
    return made;
  });
  expect(pairs.map(({ id, now }) => [id, now])).toEqual(pairs.map(({ id, before }) => [id, before]));
});

/** Runs a script with the API key in its variable. Asynchronous, because the server is in this process. */
const shell = (script: string): Promise<string> =>
  new Promise((resolve) => {
    execFile("sh", ["-c", script], { env: { ...process.env, FXCONFORM_API_KEY: apiKey } }, (_, stdout, stderr) =>
      resolve(stdout === "" ? stderr : stdout),
    );
  });

/** What `curl -i` prints. */
const parsed = (text: string): Response => {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const fields = lines.map((line): readonly [string, string] => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return responseOf(Number(first.split(" ")[1]), fields, text.slice(end + 4));
};

const exchangeOf = ({ exchanges }: Run, { exchange }: Finding) => exchanges.find(({ id }) => id === exchange);

const recorded = (run: Run, finding: Finding): Response | undefined => {
  const response = exchangeOf(run, finding)?.response;
  return response && responseOf(response.status, response.headers, response.body);
};

const responseOf = (status: number, fields: readonly (readonly string[])[], body: string): Response => ({
  status,
  type: fields.find(([name]) => name?.toLowerCase() === "content-type")?.[1] ?? "none",
  // Ids, times and tokens are new each time; the messages of refusals are not.
  body: status >= 400 ? body : shapeOf(body),
});

/** The names of the members, with the type of each. */
const shapeOf = (body: string): unknown => {
  try {
    const value = JSON.parse(body) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one === null ? "null" : typeof one]));
  } catch {
    return body;
  }
};
