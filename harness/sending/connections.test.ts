import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "./client.ts";
import { http, rawServer } from "../../model/testing/raw-server.ts";
import { target } from "../../model/testing/target.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const response = http("201 Created", { "Content-Type": "application/json" }, '{"a":1}').toString(
  "latin1",
);

/**
 * What a client makes of these pieces, which are sent one after another: the responses to the first
 * request and to a second one on the same connection.
 */
async function received(pieces: readonly string[]) {
  const server = await rawServer(({ socket }) => {
    void (async () => {
      for (const piece of pieces) {
        socket.write(piece, "latin1");
        if (pieces.length > 1) await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
  });
  ends.push(server.close);
  const signal = new AbortController().signal;
  const bounds = { connections: 1, timeout: 1500, maxBody: 100_000, signal };
  const client = createClient({ ...target, baseUrl: server.baseUrl }, bounds);
  ends.push(client.close);
  const request = {
    method: "POST",
    path: "/",
    headers: [["Content-Length", "2"]] as const,
    body: Buffer.from("{}"),
  };
  const texts = [];
  for (let n = 0; n < 2; n += 1) {
    const { response: given, failure } = await client.send(request);
    texts.push(
      given === undefined
        ? failure?.kind
        : `${given.status} ${Buffer.from(given.body).toString("latin1")}`,
    );
  }
  return texts;
}

const twice = [`201 {"a":1}`, `201 {"a":1}`];

describe("an interim response that was not requested", () => {
  test.each([
    ["before a response", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["with fields", "HTTP/1.1 100 Continue\r\nDate: now\r\nX-A: b\r\n\r\n"],
    [
      "with other interim responses",
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ],
  ])("%s is left out", async (_, interim) => {
    expect(await received([interim + response])).toEqual(twice);
    expect(await received([interim, response])).toEqual(twice);
  });

  test("is left out wherever it is cut", async () => {
    const interim = "HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n";
    for (let at = 1; at < interim.length; at += 3) {
      expect(await received([interim.slice(0, at), interim.slice(at) + response])).toEqual(twice);
    }
  });

  test("is left out alone: other responses arrive unchanged, wherever they are cut", async () => {
    for (let at = 1; at < 14; at += 4) {
      expect(await received([response.slice(0, at), response.slice(at)])).toEqual(twice);
    }
    expect(await received([response.replace("1.1 201 Created", "1.1 1000 Created")])).toEqual([
      "protocol",
      "protocol",
    ]);
    const alike = response.replace('{"a":1}', "HTTP/1.");
    for (const pieces of [[alike], [alike.slice(0, -7), "HTTP/1."], [alike.slice(0, -1), "."]])
      expect(await received(pieces)).toEqual(["201 HTTP/1.", "201 HTTP/1."]);
  });
});
