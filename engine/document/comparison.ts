import { withValue } from "../../generators/pointer.ts";
import { broken, holds, shown } from "../../harness/judging/rules/rule.ts";
import type { Judgement } from "../../model/finding.ts";
import { isObject, partsOf, valueAt, type Json, type Schema } from "../../spec/contract.ts";
import type { Probe } from "./probes.ts";
import { allowsAt, schemasAt, validatorOf } from "./schemas.ts";

/** What a document shows: a judgement, or a place that is not judged. */
export type Reading =
  /** `isLess`: the document only says less than a server does, a SHOULD at most (INT-37). */
  (Judgement & { readonly isLess?: boolean }) | Note;

interface Note {
  readonly note: "Not compared" | "Not described" | "Not required in responses";
  readonly place: string;
}

/** What a schema says of the samples. */
const askedOf = (schema: Schema, probes: readonly Probe[], isResponse: boolean, note: (place: string) => unknown) => {
  // Which members an operation must have is stated, for other requests it is open.
  const requires = probes.some(({ isRight }) => !isRight) ? ["required"] : [];
  const keeps = isResponse ? [] : ["additionalProperties", "unevaluatedProperties", ...requires];
  const places = new Set(probes.map(({ place }) => place));
  const names = new Set([...places].flatMap(partsOf));
  const relaxed = validatorOf(schema, { isRelaxed: true, keeps, names, note });
  const exact = validatorOf(schema, { isRelaxed: false, keeps: [...keeps, "required"], names, note });
  /** What is wrong with a right body at a place. A member that no sample has belongs to the object around it. */
  const faultsAt = (validate: typeof exact, body: Json, place: string) =>
    validate(body).filter(({ at }) => place === (places.has(at) ? at : at.slice(0, at.lastIndexOf("/"))));
  const allows = ({ bodies, place, isRight, isStated }: Probe): boolean =>
    bodies.some((body) => {
      if (!isRight) return allowsAt(relaxed(body), place);
      const faults = faultsAt(isStated ? exact : relaxed, body, place);
      // A server may list other pairs.
      return faults.length === 0 || (bodies.length > 1 && faults.some(({ listed }) => listed.some(isPair)));
    });
  return { places, relaxed, exact, faultsAt, allowed: new Set(probes.filter(allows)) };
};

const isPair = (value: unknown): boolean => typeof value === "string" && /^[A-Z]{6}$/.test(value);

/**
 * Compares what the schema of a body allows with what it must allow and refuse, place by place. A place that allows every
 * type says nothing. Nothing is compared below it, or below a place where the right value is refused.
 */
export const compared = (
  title: string,
  schema: Schema,
  probes: readonly Probe[],
  isResponse: boolean,
): readonly Reading[] => {
  const readings: Reading[] = [];
  const note = (kind: Note["note"], at: string): unknown => readings.push({ note: kind, place: `${at} of ${title}` });
  const asked = askedOf(schema, probes, isResponse, (place) => note("Not compared", place));
  const { places, relaxed, exact, faultsAt, allowed } = asked;
  const contradicts = (probe: Probe, does: string, isLess?: boolean): void => {
    const { requirement, place: pointer, bodies, isRight } = probe;
    const value = valueAt(bodies[0], pointer);
    const found = isObject(value) ? "an object" : shown(value);
    const isMember = isLess !== undefined || value === undefined;
    const member = `${value === undefined ? "a body without" : "the member"} ${pointer}`;
    const what = isMember ? member : `${pointer || "the body"} = ${found}`;
    const faults = faultsAt(exact, bodies[0], pointer).map(({ text }) => text);
    const actual = isRight ? faults.join("; ") || "no such member" : `allowed: ${shown(bodies[0])}`;
    const expected = `${what} is ${isRight ? "allowed" : "refused"}`;
    const message = `${title}: the schema ${does} ${what}.`;
    readings.push({ ...broken(requirement, { message, expected, actual, pointer }), isLess: isLess ?? false });
  };

  const hasMembers = (place: string): boolean =>
    schemasAt(schema, place).some(({ properties, items }) => properties !== undefined || items !== undefined);
  const closed: string[] = [];
  for (const place of places) {
    if (closed.some((one) => place.startsWith(`${one}/`))) continue;
    const own = probes.filter((probe) => probe.place === place);
    const typed = own.filter(({ isRight, bodies: [body] }) => !isRight && valueAt(body, place) !== undefined);
    const isNamed = schemasAt(schema, place).length > 0;
    const hasNames = hasMembers(place.slice(0, place.lastIndexOf("/")));
    const isOpen = typed.length > 1 && typed.every((one) => allowed.has(one));
    if (isOpen && (isNamed || !hasNames)) note("Not described", place || "the body");
    const isRefused = own.some(({ isRight, bodies }) => isRight && relaxed(bodies[0]).some((one) => one.at === place));
    if ((isOpen && !hasMembers(place)) || isRefused || !isNamed) closed.push(place);
    for (const probe of own) {
      const { requirement, bodies, isRight, isNeeded } = probe;
      const isAllowed = allowed.has(probe);
      if (!isNamed) {
        if (hasNames && isNeeded) contradicts(probe, "does not name", isNeeded === "usual" && isAllowed);
      } else if (isAllowed !== isRight && !(isOpen && typed.includes(probe))) {
        contradicts(probe, isRight ? "refuses" : "allows");
      } else if (!isResponse || !isRight) readings.push(holds(requirement));
      else if (isNeeded && allowsAt(exact(withValue(bodies[0], place, undefined)), place))
        note("Not required in responses", place);
    }
  }
  return readings;
};
