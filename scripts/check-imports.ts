/**
 * Checks the direction of imports: between packages, between the layers and the features of core, and between folders.
 * `--write` writes the graphs of packages and features in `CONTRIBUTING.md`, and removes functions that are no longer long from their list.
 * `--lines` prints the lines of each package instead.
 *
 * - Packages import only the packages listed in `mayImport`, and declare every import in `package.json`. No published
 *   package depends on the private harness.
 * - The kernel and core have layers; a file never imports from a layer above its own, not even a type.
 * - A feature imports only the features that its manifest declares in `uses`, and features have no cycle.
 * - Only `access` imports what makes grants and what reaches protected tables; tables, features and views do not
 *   import `RecordsAdapter`, which accepts every table.
 * - No cycle of imports, types included, exists between folders of the kernel, of access and of core, at any level. Other packages have the cycles in
 *   `knownCycles`.
 * - The kernel, formats, content, access and core reach time, randomness, timers, WebCrypto and compression through services: see `platformUses.ts`.
 * - No entry of a package loads an optional package: a module that imports one is imported dynamically.
 * - kernel, access, core and markdown import neither SQL, nor HTTP, nor Node; model and client run in browsers, so they import no Node either. http loads
 *   converters dynamically, because they are optional. Time and randomness come from services; files have at most 400 lines,
 *   core at most 55,000, and every other package at most 40,000. Functions of these packages have at most 100, except for at most 15 functions in
 *   `longFunctions.txt`, each with its reason.
 */
import { readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { printLines } from "./imports/countLines.ts"
import { cyclesOf, nodeOf } from "./imports/cycles.ts"
import { checkFeatures, declaredFeatures, importedFeatures } from "./imports/featureGraph.ts"
import { areGraphsStale, writeGraphs } from "./imports/graphs.ts"
import { checkLongFunctions } from "./imports/longFunctions.ts"
import { findEagerPackages } from "./imports/optionalPackages.ts"
import { filesIn, type Import, importsOf } from "./imports/readImports.ts"
import {
  adapterModules,
  forbiddenModules,
  forbiddenText,
  guardedModules,
  knownCycles,
  layerOf,
  layers,
  maximumLines,
  maximumPackageLines,
  mayImport,
  usesServices,
  withoutAdapter
} from "./imports/rules.ts"
import { findPlatformUses } from "./platformUses.ts"

/** Returns the folder of a package. The harness is not published, so it is outside of `packages`. */
const packageFolder = (name: string): string => (name === "harness" ? name : `packages/${name}`)

const checkText = (path: string, text: string): ReadonlyArray<string> => {
  const lines = text.split("\n").length
  return [
    ...(lines > maximumLines && !path.endsWith(".gen.ts")
      ? [`${path}: ${lines} lines; split a file over ${maximumLines}`]
      : []),
    ...forbiddenText
      .filter(({ pattern }) => pattern.test(text))
      .map(({ pattern, instead }) => `${path}: ${pattern.source}; use ${instead}`)
  ]
}

/** Checks the import of a module that reaches protected rows. `target` is the path or the specifier of the module. */
const checkProtection = (path: string, target: string, { clause }: Import): ReadonlyArray<string> => {
  const guarded = guardedModules.find(({ module, specifier }) => module === target || specifier === target)
  const reachesTables =
    withoutAdapter.test(path) &&
    (/\bRecordsAdapter\b/.test(clause) || (clause.includes("*") && adapterModules.includes(target)))
  return [
    ...(guarded?.importers.test(path) === false
      ? [`${path}: imports ${target}, which reaches protected rows; obtain a grant instead`]
      : []),
    ...(reachesTables
      ? [`${path}: imports RecordsAdapter, which accepts protected tables; obtain a grant instead`]
      : [])
  ]
}

/** Checks the layers of an import of a file from another of its package. Paths are relative to the sources. */
const checkLayers = (name: string, source: string, target: string): ReadonlyArray<string> => {
  const [from, to] = [layerOf(name, source), layerOf(name, target)]
  return from !== undefined && to !== undefined && to > from
    ? [
        `packages/${name}/src/${source}: imports ${target}; ${layers[name]![from]} is below ${layers[name]![to]}`
      ]
    : []
}

/** The packages that the harness, which is not published, imports from the tools of tests, and fast-check, which the testkit depends on. */
const tools: ReadonlyArray<string> = [
  "fast-check",
  ...Object.keys(
    (JSON.parse(readFileSync("testing/package.json", "utf8")) as { readonly dependencies: object })
      .dependencies
  )
]

/** Checks an import of another package. `declared` are the dependencies of the package. */
const checkPackageImport = (
  name: string,
  path: string,
  { specifier }: Import,
  declared: object
): ReadonlyArray<string> => {
  const [scope, rest] = specifier.split("/")
  const dependency = specifier.startsWith("@") ? `${scope}/${rest}` : scope!
  // Packages with only types are imported by the name of the package that they describe.
  const isDeclared =
    dependency in declared ||
    `@types/${dependency}` in declared ||
    (name === "harness" && tools.includes(dependency))
  const isForbidden =
    (scope === "@lectern" && !mayImport[name]!.includes(rest!)) ||
    forbiddenModules[name]?.some((pattern) => pattern.test(specifier)) === true
  return [
    ...(isForbidden ? [`${path}: ${name} must not import ${specifier}`] : []),
    ...(specifier.startsWith("node:") || isDeclared
      ? []
      : [`${path}: ${dependency} is not in ${packageFolder(name)}/package.json`])
  ]
}

/** Finds the cycles of a package that are not known, with an import for each edge; and known cycles that no longer exist. */
const checkCycles = (
  name: string,
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  examples: ReadonlyMap<string, string>
): ReadonlyArray<string> => {
  const known = (knownCycles[name] ?? []).map((cycle) => cycle.join(", "))
  const found = cyclesOf(graph).map((cycle) => cycle.join(", "))
  return [
    ...found
      .filter((cycle) => !known.includes(cycle))
      .flatMap((cycle) => [
        `${packageFolder(name)}: a cycle of imports between ${cycle}`,
        ...[...examples].flatMap(([edge, example]) =>
          edge.split(" ").every((node) => cycle.split(", ").includes(node)) ? [`  ${example}`] : []
        )
      ]),
    ...known
      .filter((cycle) => !found.includes(cycle))
      .map((cycle) => `scripts/imports/rules.ts: ${name} has no cycle between ${cycle}; remove it`)
  ]
}

const checkPackage = (
  name: string
): { readonly problems: ReadonlyArray<string>; readonly folders: number } => {
  const root = `${packageFolder(name)}/src`
  const manifest = JSON.parse(readFileSync(`${packageFolder(name)}/package.json`, "utf8"))
  // The application is bundled: what it imports is not installed with it.
  const bundled = name === "studio" ? manifest.devDependencies : {}
  const installed = { ...manifest.dependencies, ...manifest.peerDependencies }
  const problems =
    manifest.private !== true && "@lectern/harness" in installed
      ? [`${packageFolder(name)}/package.json: a published package must not depend on @lectern/harness`]
      : []
  const graph = new Map<string, Set<string>>()
  const examples = new Map<string, string>()
  let lines = 0
  for (const path of filesIn(root)) {
    const text = readFileSync(path, "utf8")
    if (!/\.gen\.\w+$/.test(path)) lines += text.split("\n").length - 1
    problems.push(...checkText(path, text))
    const source = path.slice(root.length + 1)
    if (usesServices.includes(name))
      problems.push(...findPlatformUses(`${name}/${source}`, text).map((use) => `${path}: ${use}`))
    const node = nodeOf(source)
    if (!graph.has(node)) graph.set(node, new Set())
    for (const found of importsOf(text)) {
      if (!found.specifier.startsWith(".")) {
        problems.push(...checkPackageImport(name, path, found, { ...installed, ...bundled }))
        problems.push(...checkProtection(path, found.specifier, found))
        continue
      }
      const target = normalize(join(dirname(source), found.specifier))
      problems.push(...checkLayers(name, source, target))
      problems.push(...checkProtection(path, `${root}/${target}`, found))
      const imported = nodeOf(target)
      if (imported === node) continue
      graph.get(node)!.add(imported)
      examples.set(`${node} ${imported}`, `${source} imports ${target}`)
    }
  }
  if (lines > maximumPackageLines(name)) {
    problems.push(
      `${root}: ${lines} lines; the maximum is ${maximumPackageLines(name)}. Move pure code to another package.`
    )
  }
  // The suites of the testkit are entries for the packages that they need.
  if (name !== "testkit") problems.push(...findEagerPackages(packageFolder(name), manifest))
  problems.push(...checkCycles(name, graph, examples))
  return { problems, folders: graph.size }
}

if (process.argv.includes("--lines")) {
  printLines(Object.keys(mayImport).map((name) => `${packageFolder(name)}/src`))
  process.exit()
}

const isUpdating = process.argv.includes("--write")
if (isUpdating) writeGraphs()
const packages = Object.keys(mayImport).map(checkPackage)
const layeredFiles = new Map(
  usesServices.flatMap((name) =>
    filesIn(`packages/${name}/src`).map((path) => [path, readFileSync(path, "utf8")] as const)
  )
)
const features = importedFeatures()
const featureProblems = checkFeatures(features, declaredFeatures())
// Only a graph without cycles can be printed.
const isStale = featureProblems.length === 0 && areGraphsStale()
const problems = [
  ...packages.flatMap((checked) => checked.problems),
  ...featureProblems,
  ...checkLongFunctions(layeredFiles, isUpdating),
  ...(isStale ? ["CONTRIBUTING.md: the graphs are stale; run `npm run graphs`"] : [])
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
const folders = packages.reduce((sum, checked) => sum + checked.folders, 0)
const layerCount = Object.values(layers).flat().length
console.log(
  `imports: ${folders} folders, ${features.size} features and ${layerCount} layers of kernel and core in order, types included`
)
