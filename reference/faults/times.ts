/** Ways to write a time that the specification does not allow; they take RFC 3339 in UTC. */
export const times = {
  space: (time: string) => time.replace("T", " "),
  noZone: (time: string) => time.replace("Z", ""),
  epoch: (time: string) => Date.parse(time),
  epochText: (time: string) => String(Date.parse(time)),
  dateOnly: (time: string) => time.slice(0, 10),
  http: (time: string) => new Date(time).toUTCString(),
  shortZone: (time: string) => time.replace("Z", "+0000"),
  /** The time in São Paulo with its offset, which is legal except for operations. */
  local: (time: string) => new Date(Date.parse(time) - 3 * 3_600_000).toISOString().replace("Z", "-03:00"),
} as const;
