/** The page with `part` between `<!-- name -->` and `<!-- /name -->`. Throws if it does not have these markers. */
export function withPart(page, name, part) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`The page lacks the markers ${open} and ${close}`);
  return `${page.slice(0, from + open.length)}\n\n${part}\n\n${page.slice(to)}`;
}
