/**
 * Checks the direction of imports: between packages, between the layers of core, and between folders.
 *
 * - Packages import only the packages listed in `mayImport`, and declare every import in `package.json`. No published
 *   package depends on the private harness.
 * - core has layers; a file never imports from a layer above its own, not even a type.
 * - Only `access/` imports what makes grants and what reaches protected tables; features and views do not import
 *   `RecordsAdapter`, which accepts every table.
 * - No cycle of value imports exists between folders of a package.
 * - core reaches time, randomness, timers, WebCrypto and compression through services: see `platformUses.ts`.
 * - core and markdown import neither SQL, nor HTTP, nor Node; model and client run in browsers, so they import no Node either. http loads
 *   converters dynamically, because they are optional. Time and randomness come from services; files have at most 400 lines.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { findPlatformUses } from "./platformUses.ts"

const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  model: [],
  markdown: ["model"],
  core: ["model", "markdown"],
  client: ["model"],
  editor: ["model", "markdown", "client"],
  converters: ["core"],
  reader: ["core", "model"],
  "storage-sql": ["core"],
  "storage-sqlite": ["core", "storage-sql"],
  "storage-pg": ["core", "storage-sql"],
  studio: ["client", "editor"],
  http: ["core", "model", "client"],
  lectern: ["core", "http", "storage-sql", "storage-sqlite", "storage-pg"],
  testkit: ["core", "model"],
  harness: [
    "model",
    "markdown",
    "core",
    "storage-sql",
    "storage-sqlite",
    "storage-pg",
    "client",
    "reader",
    "http",
    "converters",
    "testkit"
  ]
}

/** Returns the folder of a package. The harness is not published, so it is outside of `packages`. */
const packageFolder = (name: string): string => (name === "harness" ? name : `packages/${name}`)

/** The layers of core, lowest first. */
const layers = ["kernel", "tables", "access", "views", "features", "workspace", "entry points"]

/** Returns the layer of a file of core: its top folder. Files outside of folders are the entry points. */
const layerOf = (source: string): number =>
  layers.indexOf(source.includes("/") ? source.split("/")[0]! : "entry points")

/** Modules that a package must not import, even if its dependencies include them. */
const forbiddenModules: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  model: [/^node:/, /^effect\/(sql|cli|socket|process)/, /^@effect\//],
  markdown: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  core: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  client: [/^node:/, /^effect\/(sql|cli|socket|process)/, /^@effect\//],
  studio: [/^effect/, /^@lectern\/client$/]
}

/** Modules of core that reach protected rows, and the files that may import them. */
const guardedModules = [
  { module: "kernel/storage/scopedRecords.ts", importers: /^(kernel\/storage|access)\// },
  { module: "access/grants/issueGrant.ts", importers: /^access\// }
]

/** The layers of core that reach rows by `Records` and by grants only. */
const withoutAdapter: ReadonlyArray<string> = ["tables", "views", "features"]

/** Text that a source file must not contain, and what to use instead. */
const forbiddenText = [
  { pattern: /\bDate\.now\(/, instead: "Clock" },
  { pattern: /\bMath\.random\(/, instead: "SecureRandom or Random" },
  { pattern: /\bas any\b/, instead: "a type" },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, instead: "a type" }
]

const maximumLines = 400

interface Import {
  readonly specifier: string
  /** The text between `import` and `from`. */
  readonly clause: string
  /** Whether only types are imported, which leaves nothing at run time. */
  readonly isTypeOnly: boolean
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : /\.tsx?$/.test(path) ? [path] : []
  })

const importsOf = (text: string): ReadonlyArray<Import> =>
  Array.from(
    text.matchAll(/^(?:import|export)\s+(type\s+)?([^"';]*?)\bfrom "([^"]+)"/gm),
    ([, type, clause = "", specifier = ""]) => {
      const named = /^\{([^}]*)\}\s*$/
        .exec(clause.trim())?.[1]
        ?.split(",")
        .filter((name) => name.trim() !== "")
      const isTypeOnly =
        type !== undefined || named?.every((name) => name.trim().startsWith("type ")) === true
      return { specifier, clause, isTypeOnly }
    }
  )

/**
 * Returns the folder of a file for cycles: the second level below the sources, or the first for files directly in a layer.
 * A folder of markdown is one module with the folders in it.
 */
const folderOf = (source: string, name: string): string =>
  source
    .split("/")
    .slice(0, -1)
    .slice(0, name === "markdown" ? 1 : 2)
    .join("/") || source

/** Returns the strongly connected components of a graph with more than one node (Tarjan's algorithm). */
const cyclesOf = (graph: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: Array<string> = []
  const cycles: Array<ReadonlyArray<string>> = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node)!, low.get(next)!))
      } else if (stack.includes(next)) {
        low.set(node, Math.min(low.get(node)!, index.get(next)!))
      }
    }
    if (low.get(node) !== index.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1) cycles.push(component.toSorted())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}

const problems: Array<string> = []
let folders = 0

for (const [name, allowed] of Object.entries(mayImport)) {
  const root = `${packageFolder(name)}/src`
  const manifest = JSON.parse(readFileSync(`${packageFolder(name)}/package.json`, "utf8"))
  // The application is bundled: what it imports is not installed with it.
  const bundled = name === "studio" ? manifest.devDependencies : {}
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
  const declared = { ...installed, ...bundled }
  if (manifest.private !== true && "@lectern/harness" in installed) {
    problems.push(
      `${packageFolder(name)}/package.json: a published package must not depend on @lectern/harness`
    )
  }
  const graph = new Map<string, Set<string>>()
  const examples = new Map<string, string>()

  for (const path of filesIn(root)) {
    const text = readFileSync(path, "utf8")
    const lines = text.split("\n").length
    if (lines > maximumLines && !path.endsWith(".gen.ts"))
      problems.push(`${path}: ${lines} lines; split a file over ${maximumLines}`)
    for (const { pattern, instead } of forbiddenText) {
      if (pattern.test(text)) problems.push(`${path}: ${pattern.source}; use ${instead}`)
    }
    const source = path.slice(root.length + 1)
    if (name === "core") problems.push(...findPlatformUses(source, text).map((use) => `${path}: ${use}`))
    const folder = folderOf(source, name)
    if (!graph.has(folder)) graph.set(folder, new Set())
    for (const { specifier, clause, isTypeOnly } of importsOf(text)) {
      if (specifier.startsWith(".")) {
        const target = normalize(join(dirname(source), specifier))
        const [from, to] = [layerOf(source), layerOf(target)]
        if (name === "core" && to > from) {
          problems.push(`${path}: imports ${target}; ${layers[from]} is below ${layers[to]}`)
        }
        const guarded = guardedModules.find(({ module }) => name === "core" && module === target)
        if (guarded?.importers.test(source) === false) {
          problems.push(`${path}: imports ${target}, which reaches protected rows; obtain a grant instead`)
        }
        if (name === "core" && withoutAdapter.includes(layers[from]!) && /\bRecordsAdapter\b/.test(clause)) {
          problems.push(
            `${path}: imports RecordsAdapter, which accepts protected tables; obtain a grant instead`
          )
        }
        if (isTypeOnly || folderOf(target, name) === folder) continue
        graph.get(folder)!.add(folderOf(target, name))
        examples.set(`${folder} ${folderOf(target, name)}`, `${source} imports ${target}`)
        continue
      }
      const [scope, rest] = specifier.split("/")
      const dependency = specifier.startsWith("@") ? `${scope}/${rest}` : scope!
      if (scope === "@lectern" && !allowed.includes(rest!)) {
        problems.push(`${path}: ${name} must not import ${specifier}`)
      }
      if (forbiddenModules[name]?.some((pattern) => pattern.test(specifier)) === true) {
        problems.push(`${path}: ${name} must not import ${specifier}`)
      }
      // Packages with only types are imported by the name of the package that they describe.
      const isDeclared = dependency in declared || `@types/${dependency}` in declared
      if (!specifier.startsWith("node:") && !isDeclared) {
        problems.push(`${path}: ${dependency} is not in ${packageFolder(name)}/package.json`)
      }
    }
  }

  folders += graph.size
  for (const cycle of cyclesOf(graph)) {
    problems.push(`${packageFolder(name)}: a cycle of value imports between ${cycle.join(", ")}`)
    for (const [edge, example] of examples) {
      const [from, to] = edge.split(" ") as [string, string]
      if (cycle.includes(from) && cycle.includes(to)) problems.push(`  ${example}`)
    }
  }
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`imports: ${folders} folders without a cycle, ${layers.length} layers of core in order`)
