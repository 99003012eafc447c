import { layers } from "./tools/layers.mjs";

const all = layers.map(({ folder }) => folder);
/**
 * Returns a pattern for the paths that rows of the table in `tools/layers.mjs` name: everything in
 * a folder, or one file.
 */
function inside(rows) {
  return `^(${rows.map((row) => (row.endsWith(".ts") ? row.replace(".", "[.]") : `${row}/`)).join("|")})`;
}
const unitTest = "[.]test[.]ts$|/testing/";

/**
 * A layer may import itself and the layers that the table names for it, and no other folder of
 * ours.
 */
const layerRules = layers.flatMap(({ folder, imports, types = [] }) => [
  {
    name: `layers-${folder}`,
    severity: "error",
    from: { path: inside([folder]) },
    to: {
      path: inside([...all, "tests", "tools", "templates"]),
      pathNot: inside([folder, ...imports, ...types]),
    },
  },
  ...types.map((typed) => ({
    name: `layers-${folder}-takes-only-types-of-${typed}`,
    severity: "error",
    from: { path: inside([folder]), pathNot: unitTest },
    to: { path: inside([typed]), dependencyTypesNot: ["type-only"] },
  })),
]);

/**
 * A folder inside a layer may import itself, the siblings that the table names for it, and the
 * files that stand directly in the layer.
 */
const innerRules = layers.flatMap(({ folder, inside: inner = {} }) =>
  Object.entries(inner).map(([name, imports]) => ({
    name: `layers-${folder}-${name}`,
    severity: "error",
    from: { path: `^${folder}/${name}/`, pathNot: unitTest },
    to: {
      path: `^${folder}/`,
      pathNot: `^${folder}/(${[name, ...imports].join("|")})/|^${folder}/[^/]+$`,
    },
  })),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    ...innerRules,
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    // Imports of dist/ are not checked: a build that is in progress may have removed its files.
    {
      name: "resolves",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "(^|/)dist/" },
    },
    {
      name: "shipped-code-needs-no-dev-dependency",
      severity: "error",
      from: { path: inside(all), pathNot: unitTest },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg"],
        dependencyTypesNot: ["type-only", "npm-peer"],
      },
    },
    {
      name: "shipped-code-needs-no-test",
      severity: "error",
      from: { path: inside(all), pathNot: unitTest },
      to: { path: unitTest },
    },
    {
      name: "only-the-client-touches-the-network",
      severity: "error",
      from: { path: "^harness/", pathNot: `^harness/sending/|${unitTest}` },
      to: {
        path: "^(node:)?(https?|http2|net|tls|dns|dgram)(/promises)?$|node_modules/undici/",
        dependencyTypesNot: ["type-only"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|coverage)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
    },
  },
};
