import type { X509Certificate } from "node:crypto";
import { certificatesIn, hostOf } from "../../model/network.ts";
import type { Target } from "../../model/target.ts";

interface Text {
  readonly found: string;
  readonly advice: string;
}

/**
 * Why the certificate of the server is not trusted, by the certificates that came and those of
 * `--ca`. `code`: what OpenSSL or Node says of the first one that it does not accept.
 */
export function trustText(
  { baseUrl, ca }: Target,
  code: string,
  chain: readonly X509Certificate[],
): Text {
  const [own] = chain;
  const expired = chain.find((one) => Date.parse(one.validTo) < Date.now());
  if (code === "CERT_HAS_EXPIRED" && expired !== undefined)
    return {
      found: `the certificate of ${nameOf(expired)} expired on ${dateOf(expired.validTo)}`,
      advice: "Renew it, or check the clock of this machine.",
    };
  const early = chain.find((one) => Date.parse(one.validFrom) > Date.now());
  if (code === "CERT_NOT_YET_VALID" && early !== undefined)
    return {
      found: `the certificate of ${nameOf(early)} is not valid before ${dateOf(early.validFrom)}`,
      advice: "Check the clocks of both sides.",
    };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return {
      found: `the certificate of the server is not for ${hostOf(baseUrl)}, but for ${namesOf(own)}`,
      advice:
        "Use a name of the certificate in --base-url, or give the server a certificate for this name.",
    };
  const given = ca === undefined ? undefined : certificatesIn(ca);
  const path = own && pathFrom(own, chain, given ?? []);
  if (path === undefined) return untrusted(code);
  return path.top.checkIssued(path.top)
    ? ofRoot(path.top, given, code)
    : ofMissing(path, chain.length, given);
}

const untrusted = (code: string): Text => ({
  found: `the certificate of the server is not trusted (${code})`,
  advice: "Let its authority issue one that current clients accept.",
});

/**
 * Goes from a certificate to that of its issuer, and so on, as far as they came or are given.
 * `isGiven`: the last one is in `--ca`.
 */
function pathFrom(
  own: X509Certificate,
  chain: readonly X509Certificate[],
  given: readonly X509Certificate[],
) {
  const path = [own];
  const isNew = (one: X509Certificate): boolean =>
    path.every(({ fingerprint256 }) => fingerprint256 !== one.fingerprint256);
  let top = own;
  for (let next: X509Certificate | undefined = own; next !== undefined;) {
    top = next;
    next = [...chain, ...given].find((one) => isNew(one) && top.checkIssued(one));
    if (next !== undefined) path.push(next);
  }
  // Node adds the certificates of --ca to those that came.
  const isGiven = given.some(({ fingerprint256 }) => fingerprint256 === top.fingerprint256);
  return { top, isGiven };
}

/** The text where the last certificate signed itself. */
function ofRoot(
  root: X509Certificate,
  given: readonly X509Certificate[] | undefined,
  code: string,
): Text {
  const found = `the certificate of ${nameOf(root)}, which signed itself,`;
  if (given === undefined)
    return {
      found: `${found} is not known to this machine`,
      advice:
        "If it is that of your server, name its file with --ca. To try things out, use --insecure.",
    };
  if (given.some(({ fingerprint256 }) => fingerprint256 === root.fingerprint256))
    return untrusted(code);
  return {
    found: `${found} is not in --ca, which has ${given.map(nameOf).join(", ")}`,
    advice: "If it is that of your server, put it into the file of --ca.",
  };
}

/** The text where the certificate of the next issuer is missing. */
function ofMissing(
  { top, isGiven }: NonNullable<ReturnType<typeof pathFrom>>,
  sent: number,
  given: readonly X509Certificate[] | undefined,
): Text {
  const issuer = `"${commonName(top.issuer)}"`;
  if (isGiven)
    return {
      found: `--ca has the certificate of ${nameOf(top)}, but not that of its issuer ${issuer}`,
      advice: `Add the certificate of ${issuer} to the file of --ca, and so on, up to one that signed itself.`,
    };
  const what = sent === 1 ? "its own certificate alone" : `${sent} certificates`;
  const where = given === undefined ? "which this machine does not know" : "which is not in --ca";
  const end = sent === 1 ? "" : "the last one ";
  const found = `the server sends ${what}, ${end}issued by ${issuer}, ${where}`;
  if (given === undefined)
    return {
      found,
      advice: `If ${issuer} is the root, name its certificate with --ca. If not, let the server send the whole chain, and name the root.`,
    };
  return {
    found,
    advice:
      sent === 1
        ? `Let the server send the whole chain, or put the certificate of ${issuer} into the file of --ca, beside the root.`
        : `Put the certificate of ${issuer} into the file of --ca.`,
  };
}

const nameOf = ({ subject }: X509Certificate): string => `"${commonName(subject)}"`;

/** The common name in a name of X.509, or else the whole name. */
const commonName = (name: string): string =>
  /^CN=(.*)$/m.exec(name)?.[1] ?? name.split("\n").join(", ");

/** The names for which a certificate is. */
function namesOf(own: X509Certificate | undefined): string {
  const names = own?.subjectAltName?.replaceAll(/\b(DNS|IP Address):/g, "");
  return names ?? (own === undefined ? "none" : nameOf(own));
}

const dateOf = (text: string): string => new Date(text).toISOString().slice(0, 10);
