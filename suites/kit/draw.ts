import { drawnFrom, type Drawn, type Pool } from "../../generators/index.ts";
import type { Context } from "./context.ts";

/** What this run sends of a pool; the report says how much of it that was. */
export const draw = <T>(context: Context, pool: Pool<T>): readonly Drawn<T>[] => {
  const drawn = drawnFrom(pool, context.settings);
  context.run.recorder.emit({ type: "pool", name: pool.name, used: drawn.length, of: pool.items.length });
  return drawn;
};
