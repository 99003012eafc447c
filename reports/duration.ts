/** Milliseconds as people read them: `0.4 ms`, `412 ms`, `3.2 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 9.95) return `${trimmed(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const trimmed = (value: number): string => String(Number(value.toFixed(1)));
