/** Bundles the compiled modules of a package, which run in Node, with the dependencies that npm does not install. */
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { build, type Plugin } from "esbuild"
import { type Bundle, type BundleRequest, bundling, packagesIn, toPosix } from "./Bundle.ts"
import { packageOf } from "./installedPackages.ts"
import { copiedDependencies } from "./stagedPackage.ts"

/** Marks the place of a path from a module to the root of the package, which is known only after bundling. */
const rootMark = "__ROOT_OF_PACKAGE__/"

/** Makes `import.meta.url` of modules of the package that of their own files, which assets and threads are relative to. */
const originalUrls = (folder: string): Plugin => ({
  name: "original-urls",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (!path.startsWith(join(folder, "dist") + sep)) return undefined
      const code = readFileSync(path, "utf8")
      if (!code.includes("import.meta.url")) return undefined
      const url = `new URL(${JSON.stringify(rootMark + toPosix(relative(folder, path)))}, import.meta.url).href`
      return {
        contents: code.replaceAll("import.meta.url", url),
        resolveDir: dirname(path),
        loader: "js"
      }
    })
  }
})

/** Imports the dependencies that npm installs, and bundles the others. */
const dependenciesOf = (
  { folder, dependencies }: BundleRequest,
  copied: Set<string>,
  undeclared: Set<string>
): Plugin => ({
  name: "dependencies",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^.#/]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point" || isBuiltin(path)) return undefined
      const name = packageOf(path)
      if (copiedDependencies[name] !== undefined) {
        copied.add(name)
        return { path: `#${name}`, external: true }
      }
      // Dependencies of bundled packages are bundled in their own versions.
      if (!importer.startsWith(join(folder, "dist") + sep)) return undefined
      const isBundled = dependencies.get(name)
      if (isBundled === undefined) undeclared.add(name)
      return isBundled === true ? undefined : { path, external: true }
    })
  }
})

/** Bundles modules. Code that several of them import is in modules of its own. */
export const bundleModules = async (request: BundleRequest): Promise<Bundle> => {
  const { folder, entryPoints } = request
  const dist = join(folder, "dist")
  const root = join(folder, "package/dist")
  const copied = new Set<string>()
  const undeclared = new Set<string>()
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: entryPoints.map((entry) => join(dist, entry)),
    outdir: root,
    outbase: dist,
    platform: "node",
    plugins: [dependenciesOf(request, copied, undeclared), originalUrls(folder)],
    // CommonJS modules of dependencies call `require` for modules of Node.
    banner: {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);'
    }
  })
  if (undeclared.size > 0) throw new Error(`${folder} does not depend on ${[...undeclared].join(", ")}.`)
  const modules = outputFiles.map(({ path, text }) => {
    const name = toPosix(relative(root, path))
    return [name, text.replaceAll(rootMark, "../".repeat(name.split("/").length))] as const
  })
  return { modules: new Map(modules), packages: packagesIn(metafile), copied }
}
