/** Finds the declarations that the entry points of a package export, with everything that they refer to. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { packageOf } from "./installedPackages.ts"

const specifiers = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|<reference path=)"([^"]+)"/g

/** The reachable declarations of a package. */
export interface Declarations {
  /** Their paths, relative to `dist`. */
  readonly files: ReadonlyArray<string>
  /** The packages that they import, with the file of one import each. */
  readonly packages: ReadonlyMap<string, string>
}

/** The declaration of a module that a declaration imports, which TypeScript names by its source. */
const declarationOf = (path: string): string =>
  path.endsWith(".d.ts") ? path : path.replace(/\.[jt]s$/, ".d.ts")

/** Finds the declarations that entry points, paths relative to `dist`, reach. */
export const findDeclarations = (dist: string, entryPoints: ReadonlyArray<string>): Declarations => {
  const found = new Set<string>()
  const packages = new Map<string, string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    // A declaration that the compiler does not copy: the module of which it declares the types is not in a public signature.
    if (!existsSync(path)) return
    found.add(path)
    for (const [, specifier = ""] of readFileSync(path, "utf8").matchAll(specifiers)) {
      if (specifier.startsWith(".")) visit(declarationOf(join(dirname(path), specifier)))
      else packages.set(packageOf(specifier), relative(dist, path))
    }
  }
  for (const entry of entryPoints) visit(join(dist, entry))
  return { files: [...found].map((path) => relative(dist, path)), packages }
}
