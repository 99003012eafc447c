import { groups } from "../../model/groups.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { isObject, memberOf } from "../../spec/json.ts";
import {
  operationNames,
  operations,
  operationTitle,
  type OperationName,
} from "../../spec/operations.ts";
import { plainName, singular } from "./near-misses.ts";
import {
  childOf,
  childrenOf,
  entriesAt,
  followed,
  memberAt,
  type Place,
  contradicts,
  type Contradiction,
} from "./place.ts";

type FoundOperation = ReturnType<typeof foundIn>[number];

/** An operation of the API, as a document describes it. */
export interface DescribedOperation extends FoundOperation {
  readonly name: OperationName;
}

/**
 * Returns the surfaces of a document, the operations of the API under one prefix such as `/v1`: one
 * for each prefix under which it has most of them, and at least one. `found`: mistakes in methods
 * and paths, and missing operations.
 */
export function surfacesOf(root: Place) {
  const all = foundIn(root);
  const named = all.flatMap((one) =>
    operationNames.flatMap((name) => {
      const prefix = prefixOf(one, name);
      return prefix === undefined ? [] : [{ prefix, name }];
    }),
  );
  const prefixes = [...groups(named, ({ prefix }) => prefix)]
    .map(([prefix, own]) => ({ prefix, size: new Set(own.map(({ name }) => name)).size }))
    .toSorted((a, b) => b.size - a.size || a.prefix.length - b.prefix.length);
  const most = prefixes[0]?.size ?? 0;
  // A prefix with at most half as many operations as the best one belongs to another resource with
  // a similar path.
  const likely = prefixes.filter(({ size }) => size * 2 > most).map(({ prefix }) => prefix);
  const shown = likely.length === 0 ? [""] : likely.slice(0, mostSurfaces);
  return shown.map((prefix) => surfaceOf(prefix, all, root, shown));
}

const mostSurfaces = 5;

/** The operations of a document, whether they belong to the API or not. */
function foundIn(root: Place) {
  // Findings about a path point to its place in the document.
  return childrenOf(childOf(root, "paths")).flatMap(([path, at]) => {
    const item = followed(at);
    return methods.flatMap((method) => {
      const operation = memberAt(item, method);
      if (operation === undefined || !isObject(operation.value)) return [];
      const parameters = [item, operation].flatMap((one) => entriesAt(memberAt(one, "parameters")));
      // The parameters of the operation, with those of its path.
      const all = parameters.map(([, each]) => each);
      return [{ method: method.toUpperCase(), path, at, operation, parameters: all }];
    });
  });
}

const methods = ["get", "post", "put", "patch", "delete"];

/**
 * Returns a path with the names of its parameters left out. A slash at its end is left out, too,
 * because it is reported as a mistake of its own.
 */
function anonymous(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}").replace(/(.)\/$/, "$1");
}

function prefixOf({ method, path }: FoundOperation, name: OperationName): string | undefined {
  const own = anonymous(operations[name].path);
  const found = anonymous(path);
  return method === operations[name].method && found.endsWith(own)
    ? found.slice(0, -own.length)
    : undefined;
}

function surfaceOf(
  prefix: string,
  all: readonly FoundOperation[],
  root: Place,
  prefixes: readonly string[],
) {
  const described: DescribedOperation[] = [];
  const found: [OperationName, Contradiction][] = [];
  // Others belong to another version of the API, or to another resource with a similar path.
  const others = all.filter((one) =>
    operationNames.every((name) => {
      const own = prefixOf(one, name);
      return own === undefined || !(own.includes("{}") || prefixes.includes(own));
    }),
  );
  for (const name of operationNames) {
    const { success } = endpoints[name];
    const right = all.find((each) => prefixOf(each, name) === prefix);
    const one = right ?? nearest(name, prefix, others);
    if (one !== undefined) described.push({ ...one, name });
    if (one === undefined) {
      const [at, title] = [childOf(root, "paths") ?? root, operationTitle(name)];
      found.push([name, contradicts(success, at, `no ${title}`, `must have ${title}`)]);
    } else if (right === undefined) {
      const { method, path } = operations[name];
      const at = one.method === method ? one.at : one.operation;
      const expected = `expected ${method} ${prefix}${path}`;
      found.push([name, contradicts(success, at, `found ${one.method} ${one.path}`, expected)]);
    } else if (one.path.endsWith("/")) {
      const [actual, expected] = ["the path ends with a slash", "must end without a slash"];
      found.push([name, contradicts(success, one.at, actual, expected, { isOneCause: true })]);
    }
  }
  return { prefix, described, found };
}

/**
 * Returns the operation of the document that is probably meant, with another method or a path that
 * is written in another way. Undefined if there is none.
 */
function nearest(
  name: OperationName,
  prefix: string,
  others: readonly FoundOperation[],
): FoundOperation | undefined {
  const { method } = operations[name];
  const own = anonymous(operations[name].path);
  const whole = `${prefix}${own}`;
  const tests: readonly ((one: FoundOperation) => boolean)[] = [
    (one) => method === "POST" && /^P(UT|ATCH)$/.test(one.method) && anonymous(one.path) === whole,
    (one) => one.method === method && endsWithPath(plainPath(one.path), plainPath(own)),
    (one) => one.method === method && endsWithPath(plainPath(own), plainPath(one.path)),
  ];
  for (const test of tests) {
    const found = others.find((one) => test(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A path in the form in which similar paths are equal: `/Corporate-Operations/{id}` becomes
 * `/corporateoperation/{}`.
 */
function plainPath(path: string): string {
  return anonymous(path)
    .split("/")
    .map((part) => (part === "{}" ? part : singular(plainName(part))))
    .join("/");
}

/**
 * Whether a path ends with another one (`end`), and what stands before that end is only a prefix.
 * With a parameter in it, it would be another resource.
 */
function endsWithPath(path: string, end: string): boolean {
  return end.length > 1 && path.endsWith(end) && !path.slice(0, -end.length).includes("{}");
}

/**
 * Returns the name of a parameter, where it is sent (in lower case), and whether it is required.
 */
export function parameterOf({ value }: Place) {
  const name = memberOf(value, "name");
  const place = memberOf(value, "in");
  return {
    name: typeof name === "string" ? name : "",
    in: typeof place === "string" ? place.toLowerCase() : "",
    isRequired: memberOf(value, "required") === true,
  };
}
