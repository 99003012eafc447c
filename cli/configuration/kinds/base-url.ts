import { Misfit, type Kind } from "./kind.ts";

/**
 * The address of the target: absolute, without user, query and fragment. Keeps a base path, without slashes at its end.
 */
export const baseUrl: Kind<string> = {
  ofText,
  ofFile: ofText,
  schema: { type: "string", pattern: "^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s?#]+\\s*$" },
  toText: (value) => value,
};

function ofText(value: unknown): string {
  const text = typeof value === "string" ? value.trim() : "";
  if (!/^https?:\/\//i.test(text)) {
    const hint = /^[\w.-]+(:\d+)?(\/|$)/.test(text) ? ` such as https://${text}` : " such as https://localhost:4010";
    throw new Misfit("an absolute URL with https:// in front", `Give an address${hint}.`);
  }
  if (!URL.canParse(text)) throw new Misfit("a well-formed URL", "Check host and port.");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new Misfit("a URL without user and password", "Take user:password@ out; credentials go into --api-key.");
  }
  if (/[?#]/.test(text)) throw new Misfit("a URL without query and fragment", "End it before ? or #.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
