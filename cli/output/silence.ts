import type { OptionValues } from "../../settings/values.ts";

/** Whether only the result may be printed. */
export const isSilent = ({ quiet, json }: OptionValues): boolean => quiet?.value === true || json?.value === true;
