import { defined } from "./defined.ts";

/** A proxy on the way to the target. */
export interface Proxy {
  /** The address without credentials. */
  readonly url: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  /** The option or the variable that sets it, such as `--proxy` or `HTTPS_PROXY`. */
  readonly from: string;
}

/** The client certificate of a run (mutual TLS). Plain data. */
export interface ClientCertificate {
  /** PEM text of the certificate, followed by intermediate certificates. */
  readonly cert?: string;
  /** PEM text. */
  readonly key?: string;
  /** A PKCS #12 file in base64, instead of `cert` and `key`. */
  readonly pfx?: string;
  readonly passphrase?: string;
  /** Absent if it could not be read from a PKCS #12 file. */
  readonly subject?: string;
  /** ISO 8601 in UTC. */
  readonly expires?: string;
  /** Paths of the files, for curl commands. */
  readonly files: {
    readonly cert?: string;
    readonly key?: string;
    readonly pfx?: string;
    readonly passphrase?: string;
  };
}

/** The IP address to use for a host and port instead of DNS: `--resolve`, as in curl. */
export interface ResolvedAddress {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** How requests reach the target. */
export interface Network {
  /** @defaultValue none: requests go directly to the target */
  readonly proxy?: Proxy;
  /** Why requests go directly although a variable sets a proxy. */
  readonly bypass?: string;
  readonly clientCertificate?: ClientCertificate;
  readonly resolve?: readonly ResolvedAddress[];
}

/** The entry of `--resolve` for a host and port. */
export const resolvedAddress = ({ resolve = [] }: Network, host: string, port: number): ResolvedAddress | undefined =>
  resolve.find((one) => one.host.toLowerCase() === host.toLowerCase() && one.port === port);

/** The port of a URL, or the default port of its scheme. */
export const portOf = ({ port, protocol }: Pick<URL, "port" | "protocol">): number =>
  Number(port || (protocol === "https:" ? 443 : 80));

/** `the proxy http://proxy.example:3128 (HTTPS_PROXY)` */
export const proxyText = ({ url, from }: Proxy): string => `the proxy ${url} (${from})`;

/** How requests reached the target, as reports show it. */
export interface RunNetwork {
  readonly way: "direct" | "proxy";
  /** Present if `way` is `proxy`. */
  readonly proxy?: Pick<Proxy, "url" | "from">;
  /** Why requests went directly although a variable sets a proxy. */
  readonly bypass?: string;
  /** The IP address that `--resolve` set. */
  readonly address?: string;
  readonly clientCertificate?: Pick<ClientCertificate, "subject" | "expires">;
}

/** The network of a target as reports show it: no secrets, no certificates in full. */
export const networkOf = (target: Network & { readonly baseUrl: string }): RunNetwork => {
  const { proxy, bypass, clientCertificate, baseUrl } = target;
  const url = new URL(baseUrl);
  const resolved = resolvedAddress(target, url.hostname, portOf(url));
  const { subject, expires } = clientCertificate ?? {};
  return {
    way: proxy === undefined ? "direct" : "proxy",
    ...defined({
      proxy: proxy && { url: proxy.url, from: proxy.from },
      bypass,
      address: resolved?.address,
      clientCertificate: clientCertificate && defined({ subject, expires }),
    }),
  };
};

/** `directly at 10.0.0.1`, `through the proxy http://proxy.example:3128 (HTTPS_PROXY)`: continues "requests went". */
export const wayText = ({ proxy, bypass, address }: RunNetwork): string =>
  proxy === undefined
    ? `directly${address === undefined ? "" : ` at ${address}`}${bypass === undefined ? "" : ` (${bypass})`}`
    : `through ${proxyText(proxy)}`;
