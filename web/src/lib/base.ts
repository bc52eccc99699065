/** Where the house is on its site: at "/", or behind a proxy that shares its name with others, at "/games/". */

/** The page's own parts lie in assets/, right below it; a development server has it at the root. */
export const BASE = import.meta.env.PROD ? new URL(/* @vite-ignore */ "..", import.meta.url).pathname : "/";

/** The address of one of the house's own paths, which begin with "/". */
export function url(path: string): string {
  return BASE + path.slice(1);
}

/** The house's own path of an address on this site; "/" for one that is not of this house. */
export function below(pathname: string): string {
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length - 1) : "/";
}
