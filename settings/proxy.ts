import { BlockList, isIP } from "node:net";
import { unescape } from "node:querystring";
import { portOf, type Proxy } from "../model/network.ts";
import { isLoopback } from "../model/target.ts";
import { read } from "./kinds/kind.ts";
import { proxy as proxyKind } from "./kinds/structured.ts";
import { wrong } from "./problem.ts";
import type { OptionValue, Surroundings } from "./sources.ts";

/**
 * The proxy that `--proxy` names, or else the proxy in the variables. The variables apply neither
 * to loopback addresses nor to what NO_PROXY names; `bypass` then says so. Throws `UsageError`.
 */
export function proxyOf(
  url: URL,
  option: OptionValue<string> | undefined,
  env: Surroundings["env"],
) {
  if (option !== undefined) return { proxy: parsed(option.value, option.where) };
  const own =
    url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const names = [...own, "all_proxy", "ALL_PROXY"];
  // An empty variable counts as not set.
  const name = names.find((one) => (env[one] ?? "") !== "");
  if (name === undefined) return {};
  if (isLoopback(url.hostname)) return { bypass: `${name} does not apply to loopback addresses` };
  const except = ["no_proxy", "NO_PROXY"].find((one) => (env[one] ?? "") !== "");
  if (except !== undefined && isExcepted(url, env[except] ?? ""))
    return { bypass: `${except} takes the host out of ${name}` };
  const reading = read(proxyKind.schema, env[name]);
  if ("value" in reading) return { proxy: parsed(reading.value, name) };
  throw wrong(name, `must be ${reading.wanted}`, reading.advice);
}

function parsed(text: string, from: string): Proxy {
  const { protocol, host, username, password } = new URL(text);
  const credentials = { user: unescape(username), password: unescape(password) };
  return { url: `${protocol}//${host}`, ...(username === "" ? {} : { credentials }), from };
}

/**
 * Whether the list in NO_PROXY names an address. The list is read as curl reads it: names with
 * their subdomains, addresses, and networks such as 10.0.0.0/8, each with or without a port. The
 * agent of undici that reads these variables knows no networks, and does not say which variable
 * decided.
 */
function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = entry, port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (name === "" || (port !== undefined && Number(port) !== portOf(url))) return false;
    const bare = name.toLowerCase().replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0) return bare === host || isInNetwork(host, bare);
    const domain = bare.replace(/^\*?\./, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
}

function isInNetwork(address: string, network: string): boolean {
  const [base = "", bits] = network.split("/");
  const familyOf = (one: string) => (isIP(one) === 6 ? "ipv6" : "ipv4");
  const block = new BlockList();
  try {
    block.addSubnet(base, Number(bits), familyOf(base));
  } catch {
    // What is no network holds no address.
  }
  return block.check(address, familyOf(address));
}
