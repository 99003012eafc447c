/** A module of the build, by its path in `dist/`. */
export const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
