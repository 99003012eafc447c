import { chmod, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { referenceFor } from "../reference/testing/reference.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { listening } from "../model/testing/listening.ts";
import { executed, fileText, root } from "./execution.ts";

const apiKey = "monitoring-key-0123456789";

async function target(faults: readonly string[] = []): Promise<string> {
  const server = await referenceFor({ apiKey, customerId: "customer-1", faults });
  return server.baseUrl;
}

test("the command of the service writes the metrics and sends no bad credentials", async () => {
  const cwd = temporaryFolder();
  const baseUrl = await target();
  await writeFile(join(cwd, "api-key"), `${apiKey}\n`);
  const program = join(cwd, "fxconform");
  await writeFile(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/bin.js")}" "$@"\n`,
  );
  await chmod(program, 0o755);
  const command =
    /^ExecStart=(.*)$/m.exec(await fileText("templates/monitoring/fxconform.service"))?.[1] ?? "";
  const env = {
    PATH: `${cwd}:${process.env["PATH"] ?? ""}`,
    CREDENTIALS_DIRECTORY: cwd,
    FXCONFORM_BASE_URL: baseUrl,
  };
  const run = await executed("sh", ["-c", command.replaceAll("/var/lib/fxconform", cwd)], {
    cwd,
    env,
  });
  expect(run, run.stderr).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^[^\n]+\n$/),
  });
  const metrics = await readFile(join(cwd, "fxconform.prom"), "utf8");
  expect(metrics).toMatch(/^fxconform_gate_pass\{.*\} 1$/m);
  expect(metrics).toMatch(/^fxconform_bad_credentials\{.*\} 0$/m);
});

interface CronJob {
  readonly spec: {
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: Pod } } };
  };
}
interface Pod {
  readonly containers: readonly {
    readonly image: string;
    readonly command: readonly string[];
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
  }[];
}

test.each([
  ["a server that obeys", [], 204, 0],
  ["a server that does not, and a Pushgateway that refuses", ["list-count-string"], 400, 4],
] as const)("the CronJob pushes the metrics of %s", async (_, faults, status, code) => {
  const cwd = temporaryFolder();
  const baseUrl = await target(faults);
  await writeFile(join(cwd, "api-key"), `${apiKey}\n`);
  const pushed: { readonly line: string; readonly body: string }[] = [];
  const pushgateway = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      pushed.push({ line: `${request.method} ${request.url}`, body });
      response.writeHead(status).end();
    });
  });
  const places: Readonly<Record<string, string>> = {
    "/app": root.replace(/\/$/, ""),
    "/reports": cwd,
    "/etc/fxconform": cwd,
    "https://fx.example.com/api": baseUrl,
    "http://pushgateway.monitoring.svc:9091": `http://127.0.0.1:${await listening(pushgateway)}`,
  };
  // Everything is replaced in one pass, because a replacement may itself contain a path of the
  // container.
  const here = (await fileText("templates/monitoring/cronjob.yaml")).replace(
    new RegExp(Object.keys(places).join("|"), "g"),
    (place) => places[place] ?? place,
  );
  const [container] = (parse(here) as CronJob).spec.jobTemplate.spec.template.spec.containers;
  const [program = "", ...words] = [...(container?.command ?? []), ...(container?.args ?? [])];
  const variables = Object.fromEntries(
    (container?.env ?? []).map(({ name, value }) => [name, value]),
  );
  const run = await executed(program, words, {
    cwd,
    env: { PATH: process.env["PATH"], ...variables },
  });
  expect(run.code, run.stderr).toBe(code);
  expect(pushed).toEqual([
    {
      line: "PUT /metrics/job/fxconform",
      body: await readFile(join(cwd, "fxconform.prom"), "utf8"),
    },
  ]);
  const { version } = JSON.parse(await fileText("package.json")) as { version: string };
  expect(container?.image).toMatch(new RegExp(`:${version}$`));
  expect(await fileText("docs/operator.md")).toContain(`docker build --tag ${container?.image} .`);
});

test(
  "each alert fires when it should and not for a server that obeys",
  { tags: "promtool" },
  async () => {
    const tested = await executed("promtool", ["test", "rules", join(root, "tests/alerts.yaml")]);
    expect(tested.code, tested.stdout + tested.stderr).toBe(0);
    const cases = await fileText("tests/alerts.yaml");
    const rules = await fileText("templates/monitoring/alerts.yaml");
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts.filter((name) => !cases.includes(`alertname="${name}"`))).toEqual([]);
  },
);
