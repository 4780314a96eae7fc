/**
 * Writes every package as npm publishes it to its folder `package`: the compiled modules in a few files, with the dependencies that npm
 * need not install, and the declarations that its entry points reach. The packages must be compiled. Arguments select packages.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join, resolve } from "node:path"
import type { BundleRequest } from "./staging/Bundle.ts"
import { bundleModules } from "./staging/bundleModules.ts"
import { findDeclarations } from "./staging/declarations.ts"
import { isInstalled } from "./staging/installedPackages.ts"
import { describeBundled } from "./staging/licenses.ts"
import { separateModules } from "./staging/separateModules.ts"
import { copiedDependencies, type Staging, stagings } from "./staging/stagedPackage.ts"

type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>

interface PackageFile {
  readonly name: string
  readonly exports: Exports
  readonly files: ReadonlyArray<string>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

const readPackage = (folder: string): PackageFile =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageFile

const conditionsOf = (exports: Exports, condition: string): ReadonlyArray<string> =>
  Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : (entry[condition] ?? [])))

const inDist = (path: string): string => path.replace(/^\.\/dist\//, "")

/** The sources are not published, so that no condition names them. */
const withoutSources = (exports: Exports): Exports =>
  Object.fromEntries(
    Object.entries(exports).map(([path, entry]) => {
      if (typeof entry === "string") return [path, entry]
      const { "@lectern/source": _, ...published } = entry
      return [path, published]
    })
  )

/** The `package.json` that is published. */
const publishedPackage = (source: PackageFile, copied: ReadonlySet<string>) => {
  const { scripts: _, devDependencies: __, ...published } = source
  const { directory: ___, ...publishConfig } = source.publishConfig
  const dependencies = Object.entries(source.dependencies ?? {}).filter(([name]) => isInstalled(name))
  const sideEffects = source.sideEffects
  return {
    ...published,
    ...(Array.isArray(sideEffects)
      ? { sideEffects: sideEffects.filter((path: string) => !path.startsWith("./src/")) }
      : {}),
    publishConfig,
    files: ["**"],
    exports: withoutSources(source.exports),
    ...(copied.size === 0
      ? {}
      : {
          imports: Object.fromEntries(
            [...copied].map((name) => [`#${name}`, `./dist/${name}/${copiedDependencies[name]![0]}`])
          )
        }),
    ...(source.dependencies === undefined ? {} : { dependencies: Object.fromEntries(dependencies) })
  }
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Copies the files of a dependency that loads them by their paths. They are CommonJS modules. */
const copyDependency = (folder: string, name: string, target: string): string => {
  const from = [join(folder, "node_modules", name), resolve("node_modules", name)].find((path) =>
    existsSync(path)
  )
  if (from === undefined) throw new Error(`${name} is not installed.`)
  for (const file of copiedDependencies[name]!) cpSync(join(from, file), join(target, "dist", name, file))
  write(join(target, "dist", name, "package.json"), '{ "type": "commonjs" }\n')
  return from
}

const stage = async (name: string): Promise<void> => {
  const folder = resolve("packages", name)
  const target = join(folder, "package")
  const source = readPackage(folder)
  const { threads = [], copied = [], hasModules = false }: Staging = stagings[name] ?? {}
  const types = findDeclarations(join(folder, "dist"), conditionsOf(source.exports, "types").map(inDist))
  const entries = conditionsOf(source.exports, "default").map(inDist)
  const dependencies = new Map([
    ...Object.keys(source.dependencies ?? {}).map((one) => [one, !isInstalled(one)] as const),
    ...Object.keys(source.peerDependencies ?? {}).map((one) => [one, false] as const)
  ])
  const request: BundleRequest = {
    folder,
    entryPoints: [...new Set([...entries, ...threads.map((thread) => `${thread}.js`)])],
    dependencies
  }
  const bundle = await (hasModules ? separateModules(request) : bundleModules(request))
  const missing = [...types.packages].filter(
    ([one]) => !isBuiltin(one) && dependencies.get(one) !== false && !dependencies.has(`@types/${one}`)
  )
  for (const [one, file] of missing) {
    console.error(`${name}: ${file} has types of ${one}, which npm does not install.`)
    process.exitCode = 1
  }

  rmSync(target, { recursive: true, force: true })
  for (const [path, text] of bundle.modules) write(join(target, "dist", path), text)
  for (const file of types.files) cpSync(join(folder, "dist", file), join(target, "dist", file))
  for (const file of copied)
    cpSync(join(folder, "dist", file), join(target, "dist", file), { recursive: true })
  for (const file of [...source.files, "LICENSE"].filter((one) => !/^!|^dist$|^src$/.test(one))) {
    cpSync(join(folder, file), join(target, file), { recursive: true })
  }
  const copiedFolders = [...bundle.copied].map((one) => copyDependency(folder, one, target))
  write(join(target, "BUNDLED.md"), describeBundled(source.name, [...bundle.packages, ...copiedFolders]))
  write(join(target, "package.json"), `${JSON.stringify(publishedPackage(source, bundle.copied), null, 2)}\n`)
}

const selected = process.argv.slice(2)
for (const name of readdirSync("packages")) {
  if (selected.length === 0 || selected.includes(name)) await stage(name)
}
