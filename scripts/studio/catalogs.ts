/**
 * Splits the strings of the application by language. A catalog has the strings of an area in one language, and is a module of
 * its own: browsers load the language that is displayed. In the sources, strings are declared in all languages at one place.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { OnLoadResult, PluginBuild } from "esbuild"

/** A module that declares strings. */
interface StringsModule {
  readonly path: string
  /** The name of its export. */
  readonly name: string
}

const languages = ["en", "de", "fr"] as const

const declaration = /^export const (\w+) = defineStrings\(\{$/gm

/** Returns the catalog of a module: its area, or `frame` for strings that every screen displays. */
const catalogOf = (sources: string, path: string): string => {
  const [folder = "", area = "", file = ""] = relative(sources, path).split(sep)
  if (folder === "screens") return file === "labels.ts" ? "frame" : area
  return folder === "document" || folder === "diff" ? folder : "frame"
}

const findStrings = (sources: string): ReadonlyMap<string, ReadonlyArray<StringsModule>> => {
  const catalogs = new Map<string, Array<StringsModule>>()
  for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue
    const path = join(sources, file)
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(declaration)) {
      const catalog = catalogOf(sources, path)
      catalogs.set(catalog, [...(catalogs.get(catalog) ?? []), { path, name }])
    }
  }
  return catalogs
}

type Texts = Readonly<Record<string, unknown>>

const readTexts = async ({ path, name }: StringsModule, language: string): Promise<Texts> => {
  // Node caches modules by their URL, and the module may have changed since the last bundle.
  const url = `${pathToFileURL(path).href}?changed=${statSync(path).mtimeMs}`
  const module = (await import(url)) as Readonly<Record<string, Readonly<Record<string, Texts>>>>
  return module[name]![language]!
}

const catalogModule = (runtime: string, catalog: string): string => {
  const loaders = languages.map(
    (language) => `${language}: () => import(${JSON.stringify(`catalog:${catalog}:${language}`)})`
  )
  return `import { createCatalog } from ${JSON.stringify(runtime)}
export const stringsOf = createCatalog({ ${loaders.join(", ")} })`
}

/** Makes the modules that declare strings refer to catalogs, and creates the catalogs. `sources`: the folder of the application. */
export const addCatalogs = (build: PluginBuild, sources: string): void => {
  const runtime = join(sources, "strings/catalogs.ts")
  let catalogs: ReturnType<typeof findStrings> = new Map()
  build.onStart(() => {
    catalogs = findStrings(sources)
  })
  build.onResolve({ filter: /^catalog:/ }, ({ path }) => ({
    path: path.slice("catalog:".length),
    namespace: "catalog"
  }))
  build.onLoad({ filter: /.*/, namespace: "catalog" }, async ({ path }): Promise<OnLoadResult> => {
    const [catalog = "", language] = path.split(":")
    if (language === undefined) return { contents: catalogModule(runtime, catalog), resolveDir: sources }
    const modules = catalogs.get(catalog) ?? []
    const texts = await Promise.all(
      modules.map(async (module) => [module.name, await readTexts(module, language)] as const)
    )
    if (new Set(modules.map(({ name }) => name)).size < modules.length) {
      throw new Error(`The catalog ${catalog} has two exports of the same name.`)
    }
    return {
      contents: `export default ${JSON.stringify(Object.fromEntries(texts))}`,
      watchFiles: modules.map((module) => module.path)
    }
  })
}

/** Returns the module that replaces one that declares strings, or `undefined` if the code declares none. */
export const referToCatalog = (sources: string, path: string, code: string): string | undefined => {
  const names = [...code.matchAll(declaration)].map(([, name]) => name)
  if (names.length === 0) return undefined
  const exports = names.map((name) => `export const ${name} = stringsOf("${name}")`)
  return [`import { stringsOf } from "catalog:${catalogOf(sources, path)}"`, ...exports].join("\n")
}

/** Makes the modules that are loaded on demand wait for the strings of theirs. */
export const awaitStrings = (sources: string, code: string): string => {
  const awaited = code.replace(/(?<!typeof )\bimport\((".{1,2}\/[^"]+")\)/g, "withStrings(import($1))")
  return awaited === code
    ? code
    : `import { withStrings } from ${JSON.stringify(join(sources, "strings/strings.ts"))}\n${awaited}`
}
