import { Misfit, type Kind } from "./kind.ts";

/** The address of a proxy, with or without user and password. Without a scheme it is `http:`. */
export const proxy: Kind<string> = {
  ofText,
  ofFile: ofText,
  schema: { type: "string", pattern: "^\\s*([Hh][Tt][Tt][Pp][Ss]?://)?[^\\s/?#:]\\S*\\s*$" },
  toText: (value) => value,
};

function ofText(value: unknown): string {
  const text = typeof value === "string" ? value.trim() : "";
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? "http";
  if (scheme !== "http" && scheme !== "https") {
    throw new Misfit("the address of an HTTP proxy", `A ${scheme} proxy is not supported; write http://host:port.`);
  }
  const whole = text.includes("://") ? text : `http://${text}`;
  if (text === "" || !URL.canParse(whole)) throw new Misfit("the address of a proxy", "Write http://host:port.");
  const url = new URL(whole);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new Misfit("the address of a proxy without a path", "End it after the port: http://host:port.");
  }
  try {
    if (decodeURIComponent(url.username + url.password) !== "" && url.username === "") throw new URIError();
  } catch {
    throw new Misfit(
      "the address of a proxy with user and password encoded",
      "Write http://user:password@host:port, with %25 for %, %40 for @ and %3A for : in user and password.",
    );
  }
  return whole;
}
