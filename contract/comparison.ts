import { withValue } from "../generators/pointer.ts";
import { shown } from "../harness/judging/rules/rule.ts";
import { isObject, partsOf, valueAt, type Schema } from "../spec/contract.ts";
import type { Findings } from "./findings.ts";
import type { Probe } from "./probes.ts";
import { allowsAt, schemasAt, validatorOf, type Fault } from "./schemas.ts";

/** A schema of a document. */
interface Described {
  /** What the body belongs to: `POST /batches, response 201`. */
  readonly title: string;
  readonly schema: Schema;
  /** The keywords besides types that bind a client; none for a response. */
  readonly keeps: ReadonlySet<string>;
}

/**
 * Compares what a schema allows with what it must allow and refuse, place by place. A place that allows every type says
 * nothing, and is noted. Nothing is compared below it, or below a place where the right value is refused.
 */
export const compare = ({ title, schema, keeps }: Described, probes: readonly Probe[], findings: Findings): void => {
  const isResponse = keeps.size === 0;
  const names = new Set(probes.flatMap(({ place }) => partsOf(place)));
  const note = (place: string): void => findings.note("Not compared", `${place} in the schema of ${title}`);
  const relaxed = validatorOf(schema, { isRelaxed: true, keeps, names, note });
  const exact = validatorOf(schema, { isRelaxed: false, keeps: new Set([...keeps, "required"]), names, note });
  const places = new Set(probes.map(({ place }) => place));
  /** What is below a right place is judged there, unless only the document has it. */
  const isElsewhere = ({ at }: Fault, place: string): boolean =>
    at.startsWith(`${place}/`) && (places.has(at) || at.slice(0, at.lastIndexOf("/")) !== place);
  const allows = ({ bodies, place, isRight, isStated }: Probe): boolean =>
    bodies.some((body) => {
      const all = (isStated ? exact : relaxed)(body);
      const faults = isRight ? all.filter((one) => !isElsewhere(one, place)) : all;
      // A server may list other pairs.
      const isListed = bodies.length > 1 && faults.some((one) => one.at === place && one.listed.some(isPair));
      return isListed || allowsAt(faults, place);
    });
  /** The right value of the place, or of one around it, is refused. */
  const isMisplaced = ({ place, isRight, isStated, bodies: [body] }: Probe): boolean =>
    isRight && isStated !== true && relaxed(body).some(({ at }) => `${place}/`.startsWith(`${at}/`));
  const allowed = new Set(probes.filter(allows));
  const isAllowed = (probe: Probe): boolean => allowed.has(probe);
  const contradicts = (probe: Probe, does: string, isLess = false): void => {
    const { requirement, place: pointer, bodies, isRight } = probe;
    const [body] = bodies;
    const value = valueAt(body, pointer);
    const text = isObject(value) ? "an object" : shown(value);
    const what = value === undefined ? `a body without ${pointer}` : `${pointer || "the body"} = ${text}`;
    const faults = exact(body).filter((one) => !allowsAt([one], pointer) && !(isRight && isElsewhere(one, pointer)));
    findings.contradicts({
      requirement,
      what: `${title}: the schema ${does} ${what}.`,
      expected: `${what} is ${isRight ? "allowed" : "refused"}`,
      actual: isRight ? faults.map(({ text }) => text).join("; ") || "no such member" : `allowed: ${shown(body)}`,
      pointer,
      isLess,
    });
  };

  const closed: string[] = [];
  for (const place of places) {
    if (closed.some((one) => place.startsWith(`${one}/`))) continue;
    const own = probes.filter((probe) => probe.place === place);
    const wrong = own.filter(({ isRight, bodies: [body] }) => !isRight && valueAt(body, place) !== undefined);
    const isNamed = schemasAt(schema, place).length > 0;
    const hasNames = schemasAt(schema, place.slice(0, place.lastIndexOf("/"))).some((one) => one["properties"]);
    const isOpen = wrong.length > 1 && wrong.every(isAllowed);
    if (isOpen && (isNamed || !hasNames)) findings.note("Not described", `${place || "the body"} of ${title}`);
    if (isOpen || !isNamed || own.some(isMisplaced)) closed.push(place);
    for (const probe of own) {
      if (!isNamed) {
        if (hasNames && probe.isNeeded)
          contradicts(probe, "does not name", probe.isNeeded === "usual" && isAllowed(probe));
      } else if (isOpen && wrong.includes(probe)) continue;
      else if (isAllowed(probe) !== probe.isRight) contradicts(probe, probe.isRight ? "refuses" : "allows");
      else if (!isResponse || !probe.isRight) findings.holds(probe.requirement);
      else if (probe.isNeeded && allowsAt(exact(withValue(probe.bodies[0], place, undefined)), place))
        findings.note("Not required in responses", `${place} of ${title}`);
    }
  }
};

const isPair = (value: unknown): boolean => typeof value === "string" && /^[A-Z]{6}$/.test(value);
