import { Misfit, type Kind } from "./kind.ts";

/** Where a server listens. */
export interface Listen {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

const misfit = (): Misfit => new Misfit("a port or host:port", "Write 4020 or 127.0.0.1:4020.");

const shape = /^(?:(\[[\da-fA-F:.]+\]|[\w.-]+):)?(\d{1,5})$/;

const read = (text: string): Listen => {
  const [, host = "127.0.0.1", digits = ""] = shape.exec(text.trim()) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) throw misfit();
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
};

/** `4020`, `127.0.0.1:4020`, `[::1]:4020`. */
export const listen: Kind<Listen> = {
  ofText: read,
  ofFile: (value) => {
    if (typeof value !== "string" && typeof value !== "number") throw misfit();
    return read(String(value));
  },
  schema: {
    anyOf: [
      { type: "integer", minimum: 0, maximum: 65_535 },
      { type: "string", pattern: shape.source },
    ],
  },
  toText: ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
};
