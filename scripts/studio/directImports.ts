/**
 * Makes the application import the modules of a library instead of its index. esbuild adds everything that an index exports into
 * the chunks of every module that imports the index: the first load would have the parts that only other screens use.
 */
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Plugin, PluginBuild } from "esbuild"

/**
 * The libraries whose index is not imported. That of the icons is: together they are small, and would be a request each.
 */
const libraries = ["react-aria-components"] as const

/** An export of an index: the module that declares it, and its name there. */
interface Origin {
  readonly module: string
  readonly name: string
}

type Exports = ReadonlyMap<string, Origin>

/** Returns the names in braces with their local names: `a as b` has the local name `b` of `a`. */
const namesIn = (
  list: string
): ReadonlyArray<{ readonly name: string; readonly alias: string; readonly isType: boolean }> =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [, type, name = "", alias = name] = /^(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?$/.exec(part) ?? []
      return { name, alias, isType: type !== undefined }
    })

const exportsOf = (code: string): Exports => {
  const imported = new Map<string, Origin>()
  for (const [, list = "", module = ""] of code.matchAll(
    /^import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/gm
  )) {
    for (const { name, alias } of namesIn(list)) imported.set(alias, { module, name })
  }
  const exported = new Map<string, Origin>()
  const statements = code.matchAll(/^export\s*\{([^}]*)\}(?:\s*from\s*["']([^"']+)["'])?/gm)
  for (const [, list = "", module] of statements) {
    for (const { name, alias } of namesIn(list)) {
      const origin = module === undefined ? imported.get(name) : { module, name }
      if (origin !== undefined) exported.set(alias, origin)
    }
  }
  return exported
}

/** Reads the index of a library, and returns the absolute paths of its exports. */
const readIndex = async (build: PluginBuild, library: string, resolveDir: string): Promise<Exports> => {
  const index = await build.resolve(library, { kind: "import-statement", resolveDir })
  const paths = new Map<string, string>()
  const found = new Map<string, Origin>()
  for (const [exported, { module, name }] of exportsOf(readFileSync(index.path, "utf8"))) {
    const path =
      paths.get(module) ??
      (await build.resolve(module, { kind: "import-statement", resolveDir: dirname(index.path) })).path
    paths.set(module, path)
    found.set(exported, { module: path, name })
  }
  return found
}

const importsOf = (library: string): RegExp =>
  new RegExp(String.raw`^import (type )?\{([^}]*)\} from "${library}"$`, "gm")

/** Returns the code with imports of the modules of a library. Throws on a name that the index does not export. */
const replaceImports = (code: string, library: string, exported: Exports): string =>
  code.replace(importsOf(library), (_, type: string | undefined, list: string) =>
    namesIn(type === undefined ? list : "")
      .filter(({ isType }) => !isType)
      .map(({ name, alias }) => {
        const origin = exported.get(name)
        if (origin === undefined) throw new Error(`The index of ${library} does not export ${name}.`)
        return `import { ${origin.name} as ${alias} } from ${JSON.stringify(origin.module)}`
      })
      .join("; ")
  )

/** Creates the function that replaces the imports of the libraries in a module. */
export const makeDirectImports = (build: PluginBuild) => {
  const indexes = new Map<string, Promise<Exports>>()
  return async (code: string, resolveDir: string): Promise<string> => {
    let replaced = code
    for (const library of libraries) {
      if (!code.includes(`"${library}"`)) continue
      const index = indexes.get(library) ?? readIndex(build, library, resolveDir)
      indexes.set(library, index)
      replaced = replaceImports(replaced, library, await index)
      if (replaced.includes(`from "${library}"`)) {
        throw new Error(`${resolveDir} imports ${library} in a form that the bundle does not support.`)
      }
    }
    return replaced
  }
}

/** Removes the messages of React Aria in languages that the application does not have. */
export const onlyOurLocales: Plugin = {
  name: "only-our-locales",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/intl\/[a-z]+\/[a-z]{2}-[A-Z]{2}\.m?js$/ }, ({ path }) =>
      /\/(en-US|de-DE|fr-FR)\.m?js$/.test(path) ? undefined : { contents: "export default {}" }
    )
  }
}
