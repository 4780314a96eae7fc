/** Finds imports that load an optional package with an entry of a package: a host without it could not import the entry. */
import { readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"

/** The part of `package.json` that the check reads. */
interface Manifest {
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Returns the modules that a file loads with itself. Types and dynamic imports load nothing. */
const loadedBy = (text: string): ReadonlyArray<string> =>
  Array.from(
    text.matchAll(/^(?:import|export)\s+(?!type\s)(?:[^"';]*?\bfrom )?"([^"]+)"/gm),
    ([, specifier = ""]) => specifier
  )

/** Returns the problems of the entries of a package in a folder. `read` returns the text of a file. */
export const findEagerPackages = (
  folder: string,
  { exports = {}, peerDependenciesMeta = {} }: Manifest,
  read = (path: string): string => readFileSync(path, "utf8")
): ReadonlyArray<string> => {
  const optional = Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name]?.optional)
  if (optional.length === 0) return []
  const problems: Array<string> = []
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === "object" && entry["@lectern/source"] !== undefined
      ? [normalize(join(folder, entry["@lectern/source"]))]
      : []
  )
  const seen = new Set(entries)
  for (const path of seen) {
    for (const specifier of loadedBy(read(path))) {
      if (specifier.startsWith(".")) seen.add(normalize(join(dirname(path), specifier)))
      else if (optional.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
        problems.push(`${path}: an entry loads ${specifier}, which is optional; import it dynamically`)
      }
    }
  }
  return problems
}
