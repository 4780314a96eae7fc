/**
 * Stages the compiled modules of a package as separate files, with the dependencies that npm does not install in `vendor`: bundlers
 * of browsers omit the modules that a program does not use.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, posix, relative } from "node:path"
import { build, type Plugin, transformSync } from "esbuild"
import { type Bundle, type BundleRequest, bundling, minification, packagesIn, toPosix } from "./Bundle.ts"
import { packageOf } from "./installedPackages.ts"

/** The specifiers of imports, as TypeScript writes them. */
const imports = /(\bfrom |\bimport |\bimport\()"([^"]+)"/g

/** The imports and exports of names, and imports of a default. Others use a whole module. */
const namedImports = /\b(?:import|export) (?:\{([^}]*)\}|[\w$]+) from "([^"]+)"/g

/** Which names of a dependency modules use; undefined for all. */
type Vendored = Map<string, Set<string> | undefined>

/** Adds the names of dependencies that a module imports. `isVendored` selects the dependencies. */
const addNames = (vendored: Vendored, code: string, isVendored: (specifier: string) => boolean): void => {
  const named = [...code.matchAll(namedImports)].filter(([, , specifier = ""]) => isVendored(specifier))
  for (const [, names = "default", specifier = ""] of named) {
    const known = vendored.has(specifier) ? vendored.get(specifier) : new Set<string>()
    vendored.set(specifier, known)
    for (const name of names.split(",")) {
      const [original = ""] = name.trim().split(" as ")
      if (original !== "") known?.add(original)
    }
  }
  const all = [...code.matchAll(imports)].filter(([, , specifier = ""]) => isVendored(specifier))
  for (const specifier of new Set(all.map(([, , one = ""]) => one))) {
    const count = (matches: ReadonlyArray<RegExpMatchArray>) =>
      matches.filter(([, , one]) => one === specifier).length
    if (count(all) > count(named)) vendored.set(specifier, undefined)
  }
}

/** Modules that export the used names of dependencies. */
const vendorModules = (vendored: Vendored, resolveDir: string): Plugin => ({
  name: "vendor",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^vendor:/ }, ({ path }) => ({
      path: path.slice("vendor:".length),
      namespace: "vendor"
    }))
    onLoad({ filter: /.*/, namespace: "vendor" }, ({ path }) => ({
      contents: `export { ${[...vendored.get(path)!].join(", ")} } from ${JSON.stringify(path)}`,
      resolveDir
    }))
  }
})

const vendorOf = (specifier: string): string =>
  `vendor/${specifier.replaceAll(/[@/]/g, (character) => (character === "@" ? "" : "-"))}`

/** Returns the modules that modules import, with themselves, relative to `dist`. */
const reachable = (dist: string, entryPoints: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    const path = join(dist, name)
    // A declaration without a module.
    if (!existsSync(path)) return
    const code = readFileSync(path, "utf8")
    found.set(name, code)
    for (const [, , specifier = ""] of code.matchAll(imports)) {
      if (specifier.startsWith(".")) visit(posix.join(posix.dirname(name), specifier))
    }
  }
  for (const entry of entryPoints) visit(entry)
  return found
}

/** Stages modules. */
export const separateModules = async ({
  folder,
  entryPoints,
  dependencies
}: BundleRequest): Promise<Bundle> => {
  const dist = join(folder, "dist")
  const vendored: Vendored = new Map()
  const modules = new Map<string, string>()
  for (const [name, code] of reachable(dist, entryPoints)) {
    addNames(vendored, code, (specifier) => dependencies.get(packageOf(specifier)) === true)
    const linked = code.replaceAll(imports, (whole, keyword: string, specifier: string) => {
      if (specifier.startsWith(".")) return whole
      const owner = packageOf(specifier)
      const isBundled = dependencies.get(owner)
      if (isBundled === undefined)
        throw new Error(`${name} of ${folder} imports ${owner}, which is not a dependency.`)
      if (!isBundled) return whole
      const path = posix.relative(posix.dirname(name), `${vendorOf(specifier)}.js`)
      return `${keyword}"${path.startsWith(".") ? path : `./${path}`}"`
    })
    modules.set(name, transformSync(linked, minification).code)
  }
  if (vendored.size === 0) return { modules, packages: new Set(), copied: new Set() }
  const root = join(folder, "package/dist")
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: [...vendored].map(([specifier, names]) => ({
      in: names === undefined ? specifier : `vendor:${specifier}`,
      out: vendorOf(specifier)
    })),
    plugins: [vendorModules(vendored, folder)],
    absWorkingDir: dirname(dist),
    outdir: root,
    chunkNames: "vendor/[name]-[hash]",
    platform: "neutral",
    mainFields: ["module", "main"]
  })
  for (const { path, text } of outputFiles) modules.set(toPosix(relative(root, path)), text)
  const packages = [...packagesIn(metafile)].map((path) => join(folder, path))
  return { modules, packages: new Set(packages), copied: new Set() }
}
