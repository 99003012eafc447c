import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { h, type Markup } from "./markup.ts";

/** Method and path, breaking before a slash where it must. */
export const operationMarkup = (name: OperationName): Markup => {
  const [first, ...steps] = operationTitle(name).split("/");
  return h`${first}${steps.map((step) => h`<wbr>/${step}`)}`;
};
