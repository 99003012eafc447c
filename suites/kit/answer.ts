import { isSuccess, type Exchange } from "../../model/exchange.ts";

/** What a server did with a request: equal behaviour gives equal words. */
export const answerOf = (exchange: Exchange): string => {
  const { status } = exchange.response;
  if (isSuccess(exchange)) return "accepted";
  if (status >= 500) return `crashed with ${status}`;
  return status >= 400 ? `refused with ${status}` : `answered with ${status}`;
};
