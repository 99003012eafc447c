import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fuzz } from "./fuzzing.ts";

const minutes = Number(process.env["FXCONFORM_FUZZ_MINUTES"] ?? 0);
const seed = Number(process.env["FXCONFORM_FUZZ_SEED"] ?? 1);
/** Cases in a usual test run, which take about five seconds. */
const few = 4000;

const printed = vi.fn<(...said: readonly unknown[]) => void>();
beforeEach(() => {
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, method).mockImplementation(printed);
  process.on("warning", printed);
});
afterEach(() => {
  process.off("warning", printed);
  vi.restoreAllMocks();
});

test(
  "whatever bytes come back, the client and the checks have a word for them",
  async () => {
    const began = performance.now();
    const passed = (): number => (performance.now() - began) / 60_000;
    const print = (text: string): void => void (minutes > 0 && process.stdout.write(`${text}\n`));
    let next = 1;
    const { cases, outcomes, findings } = await fuzz({
      seed,
      more: (count) => {
        if (passed() >= next && passed() < minutes) print(`${next++} of ${minutes} minutes, ${count} cases`);
        return minutes > 0 ? passed() < minutes : count < few;
      },
      onFinding: print,
    });
    const rate = Math.round(cases / passed() / 60);
    print(`${cases} cases, ${rate} a second, ${findings.length} findings: ${JSON.stringify(outcomes)}`);
    expect(findings.slice(0, 5)).toEqual([]);
    expect(printed.mock.calls).toEqual([]);
    // The mutations lead to each kind of outcome.
    for (const kind of ["2xx", "4xx", "protocol", "cut", "coding", "timeout"])
      expect(outcomes[kind] ?? 0, kind).toBeGreaterThan(0);
  },
  Math.max(120_000, minutes * 60_000 + 60_000),
);
