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

const secret = "password: sesame\n: : sesame [\n";

/** A document whose schemas contain each other, twice in each step. */
function expanding(steps: number): string {
  const schemas: Record<string, unknown> = { S0: { type: "object" } };
  for (let step = 1; step <= steps; step += 1) {
    const half = { $ref: `#/components/schemas/S${step - 1}` };
    schemas[`S${step}`] = { allOf: [half, half] };
  }
  const document = JSON.parse(referring(`#/components/schemas/S${steps}`)) as object;
  return JSON.stringify({ ...document, components: { schemas } });
}

/** A list of nine lists of nine lists, and so on, by aliases. */
const aliases = [..."abcdefghi"].map((name, index, all) => {
  const part = index === 0 ? "x" : `*${all[index - 1]}`;
  return `${name}: &${name} [${Array.from({ length: 9 }, () => part).join(",")}]`;
});

const deep = `{"openapi":"3.1.0","paths":{"/a":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}}`;
const itself = "#/paths/~1batches/get/responses/200/content/application~1json/schema";

/** Documents that are refused. Beside each of them stands a file above its folder. */
const refused: Readonly<Record<string, Content>> = {
  "a file above": referring("../secret.env"),
  "an absolute path": referring("/proc/self/environ"),
  "a way there and back": referring("./sub/../../secret.env#/a"),
  "an encoded way": referring("%2e%2e/secret.env"),
  "an address": referring("https://a.invalid/b.yaml"),
  "a file that is missing": referring("b.yaml"),
  "a reference that leads nowhere": referring("#/components/x"),
  "a reference to itself": referring(itself),
  "too many bytes": `openapi: 3.1.0\n#${"x".repeat(3_000_000)}`,
  "too many schemas": expanding(200),
  "too many aliases": ["openapi: 3.1.0", ...aliases].join("\n"),
  "too many levels": deep,
  "too many brackets": "[".repeat(2_900_000),
  "too many dashes": "- ".repeat(1_400_000),
  "too many elements": "-\n".repeat(1_400_000),
  "bytes that are no text": Buffer.from([0x80, 0x81, 0x82]),
};

test("a document that is broken, has no bounds or leads out of its folder is refused in a sentence", async () => {
  const said: string[] = [];
  for (const [name, content] of Object.entries(refused)) {
    const files = { "api/openapi.yaml": content, "secret.env": secret };
    said.push(`${name}\n  ${await refusal(judgedFiles(files))}\n`);
  }
  await expect(said.join("")).toMatchFileSnapshot("testing/refusals.golden");
});

test("a wider folder can be named, and what is wrong in a file is not quoted", async () => {
  const files = { "api/openapi.yaml": referring("../secret.env"), "secret.env": secret };
  expect(await refusal(judgedFiles(files, "."))).toMatch(/^secret.env:2: is neither JSON nor YAML/);
  const list = {
    "api/openapi.yaml": referring("../list.yaml#/List"),
    "list.yaml": "List: { type: array }",
  };
  const { requirements } = await judgedFiles(list, ".");
  expect(requirements.find(({ id }) => id === "BATCH-20")?.verdict).toBe("fail");
});

test("links lead out, and what is no file is not read", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "api/folder"), { recursive: true });
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "other/secret.yaml"), secret);
  symlinkSync(join(folder, "other/secret.yaml"), join(folder, "api/link.yaml"));
  symlinkSync(join(folder, "other"), join(folder, "api/linked"));
  execFileSync("mkfifo", [join(folder, "api/fifo")]);
  for (const [reference, says] of [
    ["link.yaml", /leads out of the folder of the document/],
    ["linked/secret.yaml", /leads out of the folder of the document/],
    ["fifo", /is a pipe/],
    ["folder", /is a folder/],
  ] as const) {
    writeFileSync(join(folder, "api/openapi.yaml"), referring(reference));
    expect(await refusal(judgedIn(folder))).toMatch(says);
  }
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
