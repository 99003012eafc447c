#!/usr/bin/env node
// This file must parse and run on every Node that knows modules, so that one that is too old gets a line that says so.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`fxconform needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else {
  void import("./start.ts");
}
