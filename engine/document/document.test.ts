import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";
import { judgeDocument } from "./document-run.ts";
import { optionsForTests } from "./testing/judged.ts";

type Content = string | Uint8Array;

/**
 * Judges `api/openapi.yaml` of a folder with these files. The root is a path in the same folder.
 */
async function judgedFiles(files: Readonly<Record<string, Content>>, root?: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "api"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return judgedIn(folder, root);
}

function judgedIn(folder: string, root?: string) {
  return judgeDocument(optionsForTests, {
    source: "api/openapi.yaml",
    path: join(folder, "api/openapi.yaml"),
    root: root === undefined ? undefined : join(folder, root),
  });
}

/** The message of the InputError, which must never show the folder. */
async function refusal(judging: Promise<unknown>): Promise<string> {
  const error = await judging.then(
    () => new Error("was judged"),
    (reason: unknown) => reason as Error,
  );
  expect(error).toMatchObject({ name: "InputError" });
  expect(error.message).not.toMatch(/\/tmp|sesame/);
  return error.message;
}

/** A document that refers to another file in the schema of a response. */
function referring(reference: string): string {
  return JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/batches": {
        get: {
          responses: {
            "200": { content: { "application/json": { schema: { $ref: reference } } } },
          },
        },
      },
    },
  });
}

test("a place that is not valid OpenAPI is named, and no verdict depends on it", async () => {
  const info = "info: { title: FX, version: '1' }";
  const valid = `openapi: 3.1.0\n${info}\npaths:\n  /batches:\n    get:\n      responses:\n`;
  const [right, wrong] = await Promise.all(
    ["{ description: a }", "{}"].map((response) =>
      judgedFiles({ "api/openapi.yaml": `${valid}        '200': ${response}\n` }),
    ),
  );
  expect(right?.warnings).toEqual([]);
  expect(wrong?.warnings).toEqual([
    "api/openapi.yaml:7 is not valid in OpenAPI 3.1: it must have required property 'description'. Other tools may refuse the document.",
  ]);
  const [one, other] = [right, wrong].map((run) =>
    run?.requirements.map(({ id, verdict }) => ({ id, verdict })),
  );
  expect(one).toEqual(other);
});

const secret = "password: sesame\n: : sesame [\n";

describe("references stay below the folder of the document", () => {
  test.each([
    ["../secret.env"],
    ["/proc/self/environ"],
    ["./sub/../../secret.env#/a"],
    ["%2e%2e/secret.env"],
  ])("%s leads out", async (reference) => {
    const message = await refusal(
      judgedFiles({ "api/openapi.yaml": referring(reference), "secret.env": secret }),
    );
    expect(message).toContain("leads out of the folder of the document. Move the file there");
  });

  test("through a link, to a file and to a folder", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "api"));
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "other/secret.yaml"), secret);
    symlinkSync(join(folder, "other/secret.yaml"), join(folder, "api/link.yaml"));
    symlinkSync(join(folder, "other"), join(folder, "api/linked"));
    for (const reference of ["link.yaml", "linked/secret.yaml"]) {
      writeFileSync(join(folder, "api/openapi.yaml"), referring(reference));
      expect(await refusal(judgedIn(folder))).toContain(
        "leads out of the folder of the document through a link",
      );
    }
  });

  test("a wider folder can be named, and what is wrong in a file is not quoted", async () => {
    const files = { "api/openapi.yaml": referring("../secret.env"), "secret.env": secret };
    expect(await refusal(judgedFiles(files, "."))).toMatch(
      /^secret.env:2: is neither JSON nor YAML/,
    );
    const list = {
      "api/openapi.yaml": referring("../list.yaml#/List"),
      "list.yaml": "List: { type: array }",
    };
    const { requirements } = await judgedFiles(list, ".");
    expect(requirements.find(({ id }) => id === "BATCH-20")?.verdict).toBe("fail");
  });

  test("to an address, and to a file that is missing", async () => {
    const files = { "api/openapi.yaml": referring("https://a.invalid/b.yaml") };
    expect(await refusal(judgedFiles(files))).toContain("leads to an address");
    expect(await refusal(judgedFiles({ "api/openapi.yaml": referring("b.yaml") }))).toContain(
      "cannot be read (ENOENT)",
    );
  });

  test("to a FIFO, to a folder and to a device", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "api/folder"), { recursive: true });
    execFileSync("mkfifo", [join(folder, "api/fifo")]);
    for (const name of ["fifo", "folder"]) {
      writeFileSync(join(folder, "api/openapi.yaml"), referring(name));
      expect(await refusal(judgedIn(folder))).toMatch(/is a (folder|pipe|device)/);
    }
    const device = judgeDocument(optionsForTests, { source: "/dev/zero", path: "/dev/zero" });
    expect(await refusal(device)).toContain("/dev/zero: is a device, not a file");
  });
});

describe("a document has bounds", () => {
  test("in size", async () => {
    const message = await refusal(
      judgedFiles({ "api/openapi.yaml": `openapi: 3.1.0\n#${"x".repeat(3_000_000)}` }),
    );
    expect(message).toContain("is larger than 3 MB");
  });

  test("in expansion", async () => {
    const schemas: Record<string, unknown> = { S0: { type: "object" } };
    for (let step = 1; step <= 200; step += 1) {
      const half = { $ref: `#/components/schemas/S${step - 1}` };
      schemas[`S${step}`] = { allOf: [half, half] };
    }
    const document = JSON.parse(referring("#/components/schemas/S200")) as Record<string, unknown>;
    const text = JSON.stringify({ ...document, components: { schemas } });
    expect(await refusal(judgedFiles({ "api/openapi.yaml": text }))).toContain(
      "a body of more than 20,000 schemas",
    );
  });

  test("in repeated aliases, and in depth", async () => {
    const names = "abcdefghi";
    const rows = [...names].map((name, index) => {
      const parts = Array.from({ length: 9 }, () =>
        index === 0 ? "x" : `*${names[index - 1] ?? ""}`,
      );
      return `${name}: &${name} [${parts.join(",")}]`;
    });
    const bomb = ["openapi: 3.1.0", ...rows].join("\n");
    expect(await refusal(judgedFiles({ "api/openapi.yaml": bomb }))).toContain("aliases");
    const deep = `{"openapi":"3.1.0","paths":{"/a":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}}`;
    expect(await refusal(judgedFiles({ "api/openapi.yaml": deep }))).toContain("too deeply");
  });

  test("references that lead to themselves end", async () => {
    const loop = referring("#/paths/~1batches/get/responses/200/content/application~1json/schema");
    expect(await refusal(judgedFiles({ "api/openapi.yaml": loop }))).toContain("itself");
  });
});

describe("a broken document says what is wrong", () => {
  test.each([
    ["bytes", Buffer.from([0x80, 0x81, 0x82]), /is no text in UTF-8 or UTF-16/],
    ["a dangling reference", referring("#/components/x"), /yaml:1: the reference .* leads nowhere/],
  ])("%s", async (_, text, says) => {
    expect(await refusal(judgedFiles({ "api/openapi.yaml": text }))).toMatch(says);
  });
});

describe("what editors and generators write is read", () => {
  const text = referring("#/components/schemas/List").replace('"3.1.0"', '"3.1"').slice(0, -1);
  const whole = `${text},"components":{"schemas":{"List":{"type":"array"}}}}`;
  const swapped = Buffer.from(`\uFEFF${whole}`, "utf16le").swap16();
  test.each<[string, Content]>([
    ["a mark at the start, and a version without a patch number", `\uFEFF${whole}`],
    ["UTF-16 without a mark", Buffer.from(whole, "utf16le")],
    ["UTF-16, the high byte first", swapped],
  ])("%s", async (_, content) => {
    const { requirements } = await judgedFiles({ "api/openapi.yaml": content });
    expect(requirements.find(({ id }) => id === "BATCH-20")?.verdict).toBe("fail");
  });
});
