/** A number of milliseconds for people: `0.4 ms`, `412 ms`, `3.2 s`, `2 min 5 s`, `3 h 20 min`. */
export function durationText(ms: number): string {
  if (ms < 9.95) return `${trimmed(ms)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 120
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const trimmed = (value: number): string => String(Number(value.toFixed(1)));
