import { defined } from "./defined.ts";
/** A proxy on the way to the target. */
export interface Proxy {
  /** Without credentials. */
  readonly url: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  /** The option or the variable that names it. */
  readonly from: string;
}

/** The certificate with which the run shows who it is. Plain data. */
export interface ClientCertificate {
  /** PEM text of the certificate, followed by those that lead to its authority. */
  readonly cert?: string;
  /** PEM text. */
  readonly key?: string;
  /** PKCS #12 in base64, in place of `cert` and `key`. */
  readonly pfx?: string;
  readonly passphrase?: string;
  /** Absent where it could not be read from a PKCS #12 file. */
  readonly subject?: string;
  /** ISO 8601 in UTC. */
  readonly expires?: string;
  /** Paths, for curl. */
  readonly files: {
    readonly cert?: string;
    readonly key?: string;
    readonly pfx?: string;
    readonly passphrase?: string;
  };
}

/** An address that stands in the place of a name, as with curl's option of this name. */
export interface ResolvedAddress {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** How requests reach the target. */
export interface Network {
  /** @defaultValue none: the way is direct */
  readonly proxy?: Proxy;
  /** Why the way is direct although a variable names a proxy. */
  readonly bypass?: string;
  readonly clientCertificate?: ClientCertificate;
  readonly resolve?: readonly ResolvedAddress[];
}

/** The address that stands in the place of a host and port. */
export const resolvedAddress = ({ resolve = [] }: Network, host: string, port: number): ResolvedAddress | undefined =>
  resolve.find((one) => one.host.toLowerCase() === host.toLowerCase() && one.port === port);

/** The port of a URL, that of its scheme where none is given. */
export const portOf = ({ port, protocol }: Pick<URL, "port" | "protocol">): number =>
  Number(port || (protocol === "https:" ? 443 : 80));

/** `the proxy http://proxy.example:3128 (HTTPS_PROXY)` */
export const proxyText = ({ url, from }: Proxy): string => `the proxy ${url} (${from})`;

/** The way that was taken, as a report has it. */
export interface RunNetwork {
  readonly way: "direct" | "proxy";
  /** Where the way leads through a proxy. */
  readonly proxy?: Pick<Proxy, "url" | "from">;
  /** Why the way is direct although a variable names a proxy. */
  readonly bypass?: string;
  /** The address of `--resolve`. */
  readonly address?: string;
  readonly clientCertificate?: Pick<ClientCertificate, "subject" | "expires">;
}

/** The network of a target without what is secret or bulky. */
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

/** `directly`, or through which proxy, and why. */
export const wayText = ({ proxy, bypass, address }: RunNetwork): string =>
  proxy === undefined
    ? `directly${address === undefined ? "" : ` at ${address}`}${bypass === undefined ? "" : ` (${bypass})`}`
    : `through ${proxyText(proxy)}`;
