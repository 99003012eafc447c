import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { harEntry, type EntryInShort } from "../../engine/recording/testing/har.ts";
import { bin, ended, started } from "./program.ts";
import { temporaryFolder } from "../../model/testing/temporary-folder.ts";

const headers = { Authorization: "Bearer token-0123456789" };

/** Batches that are created and listed in turn, ten milliseconds apart. */
function entryAt(index: number): EntryInShort {
  return index % 2 === 0
    ? {
        to: "POST /batches",
        headers,
        sent: { currency_pair: "USDBRL" },
        status: 201,
        body: { id: `b-${index}` },
      }
    : { to: "GET /batches?page=2", headers, body: { batches: [], count: 0, total: 0 } };
}

const entries = 15_000;
const mostMegabytes = 250;

test(
  "a recording of 15,000 entries is judged within bounded memory",
  { timeout: 215_000 },
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, "many.har");
    const file = createWriteStream(path);
    file.write('{"log":{"version":"1.2","creator":{"name":"test"},"entries":[');
    for (let index = 0; index < entries; index += 1) {
      const text = JSON.stringify(harEntry({ ...entryAt(index), at: index * 10 }));
      if (!file.write(`${index === 0 ? "" : ","}${text}`)) await once(file, "drain");
    }
    file.end("]}}");
    await once(file, "finish");
    const peak =
      "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
    const words = ["--import", peak, bin, "judge", path, "--reports", "json", "--json"];
    const { code, stdout, stderr } = await ended(started(process.execPath, words, folder));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ requests: entries });
    expect(Number(stderr.trim().split("\n").at(-1)) / 1024).toBeLessThan(mostMegabytes);
  },
);
