import { expect, test } from "vitest";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { invalid, valid, type RequestSpec } from "../../model/exchange.ts";
import { createIdentities } from "../judging/identities.ts";
import { judgeMessage } from "../judging/checks/message.ts";
import { senderWith, list, useFakeTime } from "../testing/sender.ts";
import { createHangs } from "./hangs.ts";

useFakeTime();

const broken: RequestSpec = { operation: "createBatch", intent: invalid("without currency_pair"), body: {} };

test("until a hang is confirmed, every request is sent and has its whole time-out", () => {
  const hangs = createHangs(10_000);
  for (let n = 0; n < 20; n += 1) hangs.unanswered(broken);
  expect(hangs.timeout()).toBe(10_000);
  expect(() => hangs.guard(broken)).not.toThrow();
});

test("a confirmed hang shortens the wait, to no less than what responses took", () => {
  const hangs = createHangs(10_000);
  hangs.confirm();
  expect(hangs.timeout()).toBe(500);
  hangs.answered(list, 300);
  expect(hangs.timeout()).toBe(900);
  hangs.answered(list, 9_000);
  expect(hangs.timeout()).toBe(10_000);
  for (let n = 0; n < 100; n += 1) hangs.answered(list, 200);
  expect(hangs.timeout()).toBe(600);
});

test("after a confirmed hang, most requests of its kind are not sent, until one is answered", () => {
  const hangs = createHangs(10_000);
  hangs.confirm();
  for (let n = 0; n < 3; n += 1) hangs.unanswered(broken);
  const isSent = (): boolean => {
    try {
      hangs.guard(broken);
      return true;
    } catch {
      return false;
    }
  };
  const sent = Array.from({ length: 40 }, (_, index) => (isSent() ? [index + 1] : [])).flat();
  expect(sent).toEqual([4, 8, 16, 32]);
  expect(() => hangs.guard({ ...broken, intent: valid })).not.toThrow();
  expect(() => hangs.guard(list)).not.toThrow();
  hangs.answered(broken, 10);
  expect(isSent()).toBe(true);
  for (let n = 0; n < 3; n += 1) hangs.unanswered(broken);
  expect(Array.from({ length: 4 }, isSent)).toEqual([false, false, false, true]);
});

test("408 is a closed connection: the request is sent again on a fresh one, and that response counts", async () => {
  const scripted = senderWith(({ operation, fresh }) =>
    operation === "listBatches" && !fresh ? { status: 408, headers: [["Connection", "close"]], body: "" } : undefined,
  );
  const exchange = await scripted.send(list);
  expect(exchange.response.status).toBe(200);
  expect(scripted.broken()).toEqual([]);
  const stays = senderWith(({ operation }) => (operation === "listBatches" ? { status: 408, body: "" } : undefined));
  await stays.send(list);
  expect(stays.broken()).toContain("BATCH-28");
});

test("304 to an unconditional list fails once a list was seen, and nowhere else", () => {
  const notModified = exchangeOf("listBatches", { status: 304, body: "" });
  const blamed = (exchange: typeof notModified, seen: boolean) =>
    judgeMessage(exchange, seen).flatMap(({ requirement, violation }) =>
      violation === undefined ? [] : [requirement],
    );
  expect(blamed(notModified, false)).toEqual([]);
  expect(blamed(notModified, true)).toEqual(["HTTP-06"]);
  expect(blamed(exchangeOf("createBatch", { status: 304, body: "" }), true)).toEqual([]);
  const identities = createIdentities();
  expect(identities.hasSeenList()).toBe(false);
  identities.sawList();
  expect(identities.hasSeenList()).toBe(true);
});
