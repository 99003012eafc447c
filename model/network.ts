import { X509Certificate } from "node:crypto";

export interface Proxy {
  readonly url: string;
  readonly credentials?: { readonly user: string; readonly password: string };
  /** The option or the variable that names the proxy, such as `--proxy` or `HTTPS_PROXY`. */
  readonly from: string;
}

export interface ClientCertificate {
  /** PEM text of the client certificate, followed by intermediate certificates. */
  readonly cert: string;
  readonly key: string;
  readonly subject: string;
  /** When the certificate expires: ISO 8601 in UTC. */
  readonly expires: string;
  /** The paths of the files with the certificate and the key, for curl commands. */
  readonly files: { readonly cert: string; readonly key?: string };
}

export interface Network {
  /** The proxy of the requests. @defaultValue none: requests go directly to the target */
  readonly proxy?: Proxy;
  /** Why requests go directly to the target although a variable names a proxy. */
  readonly bypass?: string;
  readonly clientCertificate?: ClientCertificate;
}

/** The port of a URL, or the default port of its scheme. */
export function portOf({ port, protocol }: Pick<URL, "port" | "protocol">): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}

/** The host name or the address of a URL, without the brackets of IPv6. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** A proxy in words: `the proxy http://proxy.example:3128 (HTTPS_PROXY)`. */
export const proxyText = ({ url, from }: Proxy): string => `the proxy ${url} (${from})`;

export interface RunNetwork {
  readonly way: "direct" | "proxy";
  /** Present if `way` is `proxy`. */
  readonly proxy?: Pick<Proxy, "url" | "from">;
  /** Why requests went directly to the target although a variable names a proxy. */
  readonly bypass?: string;
  readonly clientCertificate?: Pick<ClientCertificate, "subject" | "expires">;
}

export function networkOf({ proxy, bypass, clientCertificate }: Network): RunNetwork {
  return {
    way: proxy === undefined ? "direct" : "proxy",
    proxy: proxy && { url: proxy.url, from: proxy.from },
    bypass,
    clientCertificate: clientCertificate && {
      subject: clientCertificate.subject,
      expires: clientCertificate.expires,
    },
  };
}

/**
 * How requests reached the target, in words that follow "requests went": `directly`, or `through
 * the proxy http://proxy.example:3128 (HTTPS_PROXY)`.
 */
export function wayText({ proxy, bypass }: RunNetwork): string {
  return proxy === undefined
    ? `directly${bypass === undefined ? "" : ` (${bypass})`}`
    : `through ${proxyText(proxy)}`;
}

/** The certificates in a PEM text. Empty if any of them cannot be read. */
export function certificatesIn(text: string): readonly X509Certificate[] {
  try {
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}
