import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("frameworks/", import.meta.url);

const files = readdirSync(folder).filter((name) => /\.(json|yaml)$/.test(name));

/** The names of the files with documents that web frameworks made of servers without a mistake. */
export const frameworkFiles = files.filter((name) => !name.includes(".wrong."));

/** The names of the files with documents that they made of servers with mistakes. */
export const wrongFiles = files.filter((name) => name.includes(".wrong."));

export const frameworkText = (file: string): string => readFileSync(new URL(file, folder), "utf8");
