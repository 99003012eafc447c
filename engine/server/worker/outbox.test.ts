import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message, Parcel } from "../../../model/evidence/messages.ts";
import { createOutbox } from "./outbox.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const note: Message = { type: "note", kind: "warning", text: "w" };

test("parcels go out 50 ms after their first message, at once when flushed, and not at all if they are empty", () => {
  const parcels: Parcel[] = [];
  const outbox = createOutbox((parcel) => void parcels.push(parcel));
  outbox.emit(note);
  vi.advanceTimersByTime(49);
  outbox.emit(note);
  expect(parcels).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(parcels).toEqual([{ messages: [note, note] }]);
  outbox.flush();
  outbox.emit(note);
  outbox.flush();
  expect(parcels.slice(1)).toEqual([{ messages: [note] }]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a parcel says once how far the run is, and secrets and entries of a recording do not wait", () => {
  const parcels: Parcel[] = [];
  const outbox = createOutbox((parcel) => void parcels.push(parcel));
  outbox.progress.sends("listBatches", "valid");
  outbox.progress.sends("listBatches", "valid");
  outbox.secret("s");
  outbox.har("{}");
  expect(parcels).toEqual([
    { messages: [], secrets: ["s"] },
    { messages: [], har: ["{}"] },
  ]);
  vi.advanceTimersByTime(50);
  expect(parcels.slice(2)).toMatchObject([
    { messages: [{ type: "progress", sent: [{ count: 2 }] }] },
  ]);
});
