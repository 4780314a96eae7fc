/** The addresses of all screens, as the areas of the application declare them. */
import { vi } from "vitest"
import type { Area } from "../../src/actions/Area.ts"

/** The compiler does not follow it: it would compile the application without the types of a browser. */
const areasModule: string = "../../src/areas.ts"

/**
 * Loads the areas, which belong to a browser: the modules that they import read the address of the window and the stored settings.
 * Nothing is displayed.
 */
const loadPatterns = async (): Promise<ReadonlyArray<string>> => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const window = {
    location: { pathname: "/app", search: "", hash: "", host: "localhost" },
    addEventListener: () => undefined,
    matchMedia: () => ({ matches: false, addEventListener: () => undefined })
  }
  const globals = {
    window,
    document: { querySelector: () => null, getElementById: () => null, documentElement: {} },
    history: { state: {}, replaceState: () => undefined },
    localStorage: storage,
    sessionStorage: storage
  }
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  try {
    const { areas } = (await import(areasModule)) as { readonly areas: ReadonlyArray<Area> }
    return areas.flatMap(({ screens }) => screens.map(({ pattern }) => pattern))
  } finally {
    vi.unstubAllGlobals()
  }
}

/** The patterns of all screens, such as `/sites/:site/redirects`. */
export const patterns = await loadPatterns()

/** Returns the name of a pattern in a file name: `site-redirects` of `/sites/:site/redirects`. */
export const nameOf = (pattern: string): string =>
  pattern
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replace(/^:/, "one-").replace(/^\*/, "any-"))
    .join("-") || "home"
