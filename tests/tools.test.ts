import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../tools/", import.meta.url));

async function load<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(`${root}${path}`).href)) as Module;
}

const { median, wholeNumber } = await load<{
  median: (numbers: readonly number[]) => number;
  wholeNumber: (text: string) => number;
}>("numbers.mjs");
const { table, withPart } = await load<{
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string;
  withPart: (page: string, name: string, part: string) => string;
}>("documents/markdown.mjs");
const { countsText, patientFaultsTable } = await load<{
  countsText: (page: string, faults: readonly unknown[], variants: readonly unknown[]) => string;
  patientFaultsTable: (faults: readonly object[]) => string;
}>("documents/pages.mjs");
const { exchangeOf, violationOf } = await load<{
  exchangeOf: (result: object, id: number) => string | undefined;
  violationOf: (
    id: string,
    known: {
      readonly faults: readonly object[];
      readonly all: readonly string[];
      readonly resultOf: (
        faults: readonly string[],
        selection: readonly string[],
      ) => Promise<object>;
    },
  ) => Promise<{ readonly fault: string; readonly breaks: { message: string } } | undefined>;
}>("example.mjs");
const { requestsOf } = await load<{
  requestsOf: (
    entries: readonly object[],
    credentials: object,
  ) => readonly {
    readonly path: string;
    readonly schema?: string;
    readonly headers: object;
    readonly body?: Buffer;
  }[];
}>("cost/recorded.mjs");
const { perExchange, timesTheLeast, meanIn } = await load<{
  perExchange: (little: object, much: object) => number;
  timesTheLeast: (spans: readonly object[], bounds: object) => number;
  meanIn: (spans: readonly object[], from: number, to: number) => number;
}>("cost/figures.mjs");

test("a median is the middle number, and of two the greater one", () => {
  expect(median([10, 9, 100])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(3);
  expect(median([])).toBe(0);
});

test("the value of an option is a whole number above 0", () => {
  expect(wholeNumber("12")).toBe(12);
  for (const text of ["0", "-1", "1.5", "1e3", "", " 2", "two"])
    expect(() => wholeNumber(text), text).toThrow("at least 1");
});

describe("parts of a page", () => {
  const page = "# Page\n\n<!-- a -->\n\nold\n\n<!-- /a -->\n\n<!-- b -->\n\nkept\n\n<!-- /b -->\n";

  test("a part replaces what stands between its markers, and nothing else", () => {
    const written = withPart(page, "a", "new");
    expect(written).toBe(page.replace("old", "new"));
    expect(withPart(written, "a", "new")).toBe(written);
  });

  test("a page without the markers is an error, not a page that stays as it is", () => {
    expect(() => withPart(page, "c", "new")).toThrow("<!-- c -->");
    expect(() => withPart("<!-- /a --> <!-- a -->", "a", "new")).toThrow("<!-- /a -->");
  });

  test("a cell with a bar stays one cell", () => {
    expect(table(["id", "what"], [["A-1", "a | b \\ c"]])).toBe(
      "| id | what |\n| --- | --- |\n| A-1 | a \\| b \\\\ c |",
    );
  });
});

describe("tables of docs/sensitivity.md", () => {
  test("the faults that need more samples are listed with what reaches them, and no others", () => {
    const fault = { breaks: "OPER-02", about: "A status is wrong." };
    const patient = { ...fault, id: "patient", needs: { runs: 300 } };
    const rows = patientFaultsTable([{ ...fault, id: "usual" }, patient])
      .split("\n")
      .slice(2);
    expect(rows).toEqual(["| OPER-02 | patient | A status is wrong. | `--runs 300` |"]);
  });

  test("the page says whether its tables have the whole catalogue", () => {
    const page = "| all  | 2 | 2 |\n\n4 of 4 variants are clean.\n";
    const text = (faults: number, variants: number) =>
      countsText(page, Array.from({ length: faults }), Array.from({ length: variants }));
    expect(text(2, 3)).toContain("the tables have all of them");
    expect(text(3, 3)).toContain("measured with 2 and 3 of them");
    expect(text(2, 4)).toContain("measured with 2 and 3 of them");
    expect(() => countsText("", [], [])).toThrow("no measured counts");
  });
});

describe("the example of a requirement", () => {
  const exchange = (id: number, more: object = {}) => ({
    id,
    intent: "a valid request",
    request: {
      method: "POST",
      url: "https://localhost:4010/batches",
      headers: [
        ["Authorization", "Bearer [token 1]"],
        ["user-agent", "fxconform"],
      ],
      body: "{}",
    },
    response: {
      status: 201,
      statusText: "Created",
      headers: [["location", "https://localhost:4010/batches/1"]],
      body: '{"id":"1","self":"https://localhost:4010/batches/1","host":"localhost"}',
    },
    ...more,
  });
  const target = { baseUrl: "https://localhost:4010" };

  test("shows an exchange without addresses, and with the headers that matter", () => {
    expect(exchangeOf({ exchanges: [exchange(1)], target }, 1)).toBe(
      [
        "# a valid request",
        "POST /batches",
        "Authorization: Bearer [token 1]",
        "",
        "{}",
        "",
        "201 Created",
        "",
        '{"id":"1","self":"/batches/1","host":"server.example"}',
      ].join("\n"),
    );
    expect(exchangeOf({ exchanges: [exchange(1)], target }, 2)).toBeUndefined();
  });

  test("cuts a long body, and says why no response came", () => {
    const { request } = exchange(1);
    const long = exchange(1, {
      request: { ...request, body: "x".repeat(601) },
      response: undefined,
      error: "the connection was closed",
    });
    const text = exchangeOf({ exchanges: [long], target }, 1);
    expect(text).toContain(`\n${"x".repeat(600)}… (601 characters)\n`);
    expect(text).toMatch(/\n# no response: the connection was closed$/);
  });

  const faults = [
    { id: "slow", breaks: "OPER-02", needs: { slow: true } },
    { id: "other", breaks: "OPER-03" },
    { id: "rare", breaks: "OPER-02" },
    { id: "plain", breaks: "OPER-02" },
  ];
  /** The runs in which a fault shows, such as `plain: OPER-02`. */
  const firstShown = async (...showing: readonly string[]) => {
    const asked: string[] = [];
    const found = await violationOf("OPER-02", {
      faults,
      all: ["OPER-02", "OPER-03"],
      resultOf: async ([fault = ""], selection) => {
        const name = `${fault}: ${selection.join(" ")}`;
        asked.push(name);
        const finding = { message: "is wrong", expected: "a", actual: "b", exchange: 1 };
        const findings = showing.includes(name) ? [finding] : [];
        return { requirements: [{ id: "OPER-02", findings }], exchanges: [exchange(1)], target };
      },
    });
    return { found: found?.fault, message: found?.breaks.message, asked };
  };

  test("is of the first fault that a run of the requirement alone shows, or else of a full run", async () => {
    expect(await firstShown("plain: OPER-02")).toEqual({
      found: "plain",
      message: "is wrong",
      asked: ["rare: OPER-02", "plain: OPER-02"],
    });
    const inFull = await firstShown("rare: OPER-02 OPER-03");
    expect(inFull.found).toBe("rare");
    expect(inFull.asked).toHaveLength(3);
    expect((await firstShown()).found).toBeUndefined();
  });
});

test("a bare loop sends what a run sent, with good credentials, and validates each success", () => {
  const entry = (method: string, path: string, more: object = {}) => ({
    request: {
      method,
      url: `https://localhost:4010${path}`,
      headers: [
        { name: "authorization", value: "Bearer [token 2]" },
        { name: "x-api-key", value: "[key 1]" },
        { name: "content-length", value: "7" },
      ],
      ...more,
    },
  });
  const binary = { postData: { text: "/w==", _encoding: "base64" } };
  const sent = requestsOf(
    [
      entry("POST", "/auth/token"),
      entry("POST", "/customers/c-1/counterparty", { postData: { text: '{"é":1}' } }),
      entry("POST", "/corporate/operation", binary),
      entry("POST", "/corporate/operation/o-1/acam"),
      entry("POST", "/batches"),
      entry("GET", "/batches?page=2"),
    ],
    { apiKey: "the-key", token: "the-token" },
  );
  expect(sent.map(({ path, schema }) => `${path} ${schema ?? "-"}`)).toEqual([
    "/auth/token Token",
    "/customers/c-1/counterparty Counterparty",
    "/corporate/operation Operation",
    "/corporate/operation/o-1/acam -",
    "/batches Batch",
    "/batches?page=2 BatchList",
  ]);
  expect(sent[0]?.headers).toEqual({ authorization: "Bearer the-token", "x-api-key": "the-key" });
  expect(sent.slice(0, 3).map(({ body }) => body)).toEqual([
    undefined,
    Buffer.from('{"é":1}'),
    Buffer.from([0xff]),
  ]);
});

describe("figures of measurements", () => {
  test("the cost of an exchange leaves the start of the process out", () => {
    expect(perExchange({ cpu: 900, requests: 100 }, { cpu: 1500, requests: 400 })).toBe(2);
  });

  test("a run is compared with the least that its requests need", () => {
    const spans = [
      { from: 1000, to: 1100 },
      { from: 1200, to: 1300 },
      { from: 1150, to: 1250 },
    ];
    expect(timesTheLeast(spans, { requests: 6, concurrency: 4, latency: 100 })).toBe(2);
  });

  test("requests in flight are counted for the part of the time in which they are", () => {
    const spans = [
      { from: 0, to: 150 },
      { from: 100, to: 200 },
      { from: 300, to: 400 },
    ];
    expect(meanIn(spans, 0, 100)).toBe(1);
    expect(meanIn(spans, 100, 200)).toBe(1.5);
    expect(meanIn(spans, 200, 300)).toBe(0);
  });
});
