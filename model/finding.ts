export type * from "./judgement.ts";
