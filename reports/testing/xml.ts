/** An element of an XML document, with what tests need to know of it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const token = /<\?[^?]*\?>|<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
const allowed = /^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$/;

/**
 * Parses an XML document and returns its root element. Comments, CDATA and declarations are not
 * supported, because reports have none. @throws {Error} if it is not well-formed
 */
export function xmlRoot(xml: string): Element {
  const document: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [document];
  token.lastIndex = 0;
  while (token.lastIndex < xml.length) {
    const start = token.lastIndex;
    const match = token.exec(xml);
    const parent = open.at(-1);
    if (!match || !parent) throw new Error(`no XML at ${start}: ${xml.slice(start, start + 60)}`);
    const [, end, name, attributes = "", empty, text] = match;
    if (text !== undefined) parent.text += decoded(text);
    else if (name !== undefined && end) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    } else if (name !== undefined) {
      const element: Element = {
        name,
        attributes: attributesOf(attributes),
        children: [],
        text: "",
      };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [root, ...others] = document.children;
  if (open.length !== 1 || !root || others.length > 0)
    throw new Error("the document is not one element");
  return root;
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      decoded(value),
    ]),
  );
}

function decoded(text: string): string {
  if (!allowed.test(text)) throw new Error("a character that XML does not allow");
  return text.replace(/&(?:#(\d+);)?/g, (_, code?: string) => {
    if (code === undefined) throw new Error("a bare ampersand");
    return String.fromCodePoint(Number(code));
  });
}
