import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Parcel } from "../../../model/evidence/evidence.ts";
import { createRecorder } from "../../../model/evidence/recorder.ts";
import { findingOf } from "../../../model/testing/rows.ts";
import { createOutbox } from "./outbox.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-01-02T03:04:05Z") }));
afterEach(() => void vi.useRealTimers());

function outboxWithRecorder() {
  const parcels: Parcel[] = [];
  const outbox = createOutbox((parcel) => void parcels.push(parcel));
  const { progress } = outbox;
  const recorder = createRecorder({ progress });
  outbox.follow(recorder);
  /** How many requests each parcel since the last call says, and whether it has the evidence. */
  const taken = () =>
    parcels
      .splice(0)
      .map(({ progress, evidence }) => [progress?.requests, evidence !== undefined] as const);
  return { outbox, recorder, parcels, taken };
}

test("a new failure is reported with the next parcel, and everything when flushed", () => {
  const { outbox, recorder, parcels, taken } = outboxWithRecorder();
  outbox.progress.sends("listBatches", "valid");
  vi.advanceTimersByTime(50);
  taken();
  recorder.found("key", "OPER-02", findingOf());
  outbox.progress.sends("listBatches", "valid");
  vi.advanceTimersByTime(50);
  expect(parcels.at(-1)?.evidence?.judged.get("OPER-02")?.findings).toHaveLength(1);
  expect(parcels.at(-1)?.progress?.failing).toBe(1);
  taken();
  outbox.flush();
  expect(taken()).toEqual([[2, true]]);
});
