import { drawnFrom, type Drawn, type Pool } from "../../generators/index.ts";
import type { Exchange, RequestSpec } from "../../model/exchange.ts";
import type { Context } from "./context.ts";

/** What this run sends of a pool; the report says how much of it that was. */
export const draw = <T>(context: Context, pool: Pool<T>): readonly Drawn<T>[] => {
  const drawn = drawnFrom(pool, context.settings);
  context.run.recorder.emit({ type: "pool", name: pool.name, used: drawn.length, of: pool.items.length });
  return drawn;
};

/** A request for each value that this run draws. Values that not every run sends are not observed. */
export const drawRequests = <T>(
  context: Context,
  pool: Pool<T>,
  requestWith: (item: T, index: number) => RequestSpec,
): readonly { readonly item: T; readonly spec: RequestSpec }[] =>
  draw(context, pool).map(({ item, isAlways }, index) => {
    const spec = requestWith(item, index);
    return { item, spec: isAlways ? spec : { ...spec, observes: [] } };
  });

/** Sends all of them, beside each other. */
export const sendEach = <T>(
  context: Context,
  pool: Pool<T>,
  requestWith: (item: T, index: number) => RequestSpec,
): Promise<readonly { readonly item: T; readonly exchange: Exchange }[]> =>
  Promise.all(
    drawRequests(context, pool, requestWith).map(async ({ item, spec }) => ({
      item,
      exchange: await context.send(spec),
    })),
  );
