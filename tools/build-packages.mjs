// Makes the packages that build fxconform packages that it needs, and takes all others for development out of
// package.json, so that npm install --omit=dev is enough to build it. For a copy of a checkout: it changes the file.
import { readFileSync, writeFileSync } from "node:fs";

const { devDependencies, ...rest } = JSON.parse(readFileSync("package.json", "utf8"));
const builders = ["@types/node", "rolldown", "typescript"];
const added = Object.fromEntries(builders.map((name) => [name, devDependencies[name]]));
const dependencies = { ...rest.dependencies, ...added };
writeFileSync("package.json", `${JSON.stringify({ ...rest, dependencies }, undefined, 2)}\n`);
