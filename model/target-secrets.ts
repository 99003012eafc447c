import { networkOf } from "./network.ts";
import type { Target } from "./target.ts";

/** A value that reports must not show, and the label that replaces it. */
export interface Secret {
  readonly value: string;
  readonly label: string;
  readonly kind: SecretKind;
}

/** The first part of the pseudonym that replaces a secret in a recording. */
export type SecretKind = "key" | "token" | "secret";

/** Every secret of a target. */
export const secretsOf = ({ apiKey, headers = [], proxy, clientCertificate }: Target): readonly Secret[] => [
  { value: apiKey, label: "API key", kind: "key" },
  ...(proxy?.credentials === undefined
    ? []
    : [{ value: proxy.credentials.password, label: "proxy password", kind: "key" as const }]),
  ...(clientCertificate?.passphrase === undefined
    ? []
    : [{ value: clientCertificate.passphrase, label: "passphrase", kind: "key" as const }]),
  ...headers
    .filter(({ isPublic }) => !isPublic)
    .flatMap(({ name, value }) => {
      // A server may repeat credentials without their scheme.
      const [, credentials] = /^[A-Za-z][\w-]* +(\S+)$/.exec(value) ?? [];
      return [value, ...(credentials === undefined ? [] : [credentials])].map((one) => ({
        value: one,
        label: headerLabel(name),
        kind: "secret" as const,
      }));
    }),
];

/** The label that replaces the value of an added header. */
export const headerLabel = (name: string): string => `header ${name}`;

/** The target without its secrets, to be printed. */
export const shownTarget = (target: Target): Readonly<Record<string, unknown>> => ({
  ...target,
  ...{ proxy: undefined, clientCertificate: undefined, network: networkOf(target) },
  apiKey: "‹secret›",
  ...(target.ca === undefined ? {} : { ca: "given" }),
  ...(target.headers === undefined ? {} : { headers: target.headers.map(({ name }) => name) }),
});
