import { isIP } from "node:net";
import type { ResolvedAddress } from "../../../model/network.ts";
import { Misfit, type JsonSchema, type Kind } from "./kind.ts";

/** Addresses in the place of names, as curl has them: `host:port:address`. */
export const resolve: Kind<readonly ResolvedAddress[]> = {
  ofText: (text) => checked(text.split(",").filter((word) => word.trim() !== "")),
  ofFile: (value) => (typeof value === "string" ? resolve.ofText(value) : checked(Array.isArray(value) ? value : [])),
  schema: {
    anyOf: [
      { type: "array", minItems: 1, items: { type: "string", pattern: "^[^:\\s]+:[0-9]{1,5}:\\S+$" } },
      { type: "string", minLength: 1 },
    ],
  } satisfies JsonSchema,
  toText: (value) => textsOf(value).join(","),
  toFile: textsOf,
  repeatable: ",",
};

function textsOf(value: readonly ResolvedAddress[]): readonly string[] {
  return value.map(({ host, port, address }) => `${host}:${port}:${isIP(address) === 6 ? `[${address}]` : address}`);
}

const wanted = "host:port:address";

const checked = (entries: readonly unknown[]): readonly ResolvedAddress[] => {
  if (entries.length === 0) throw new Misfit(wanted, "Write fx.example.com:443:192.0.2.1.");
  return entries.map((entry) => {
    const [, host, digits, given] = /^\s*([^:\s]+):(\d{1,5}):(\S+)\s*$/.exec(String(entry)) ?? [];
    const address = given?.replace(/^\[(.*)\]$/, "$1") ?? "";
    const port = Number(digits);
    if (host === undefined || port < 1 || port > 65_535) {
      throw new Misfit(wanted, "Write fx.example.com:443:192.0.2.1.");
    }
    if (isIP(address) === 0) throw new Misfit(`${wanted} with an IP address`, "Write an address such as 192.0.2.1.");
    return { host, port, address };
  });
};
