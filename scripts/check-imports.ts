/**
 * The one-way import rule: core ← storage-sql ← storage-sqlite, storage-pg ← http, and core ← testkit. The private
 * harness imports all of them, and no published package imports the harness. core has no SQL, no HTTP and nothing of
 * Node. Each package names what it imports, and nobody reaches into another's internals.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

const mayImport: Record<string, ReadonlyArray<string>> = {
  core: [],
  "storage-sql": ["core"],
  "storage-sqlite": ["core", "storage-sql"],
  "storage-pg": ["core", "storage-sql"],
  http: ["core", "storage-sql", "storage-sqlite", "storage-pg"],
  testkit: ["core"],
  harness: ["core", "storage-sql", "storage-sqlite", "storage-pg", "http", "testkit"]
}

const folderOf = (name: string): string => (name === "harness" ? name : `packages/${name}`)

/** What core must not know of. */
const forbiddenInCore = [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//]

/** What must come from a service, so that tests are deterministic, or must not be done at all. */
const forbiddenText = [
  { pattern: /\bDate\.now\(/, instead: "Clock" },
  { pattern: /\bMath\.random\(/, instead: "SecureRandom or Random" },
  { pattern: /\bas any\b/, instead: "a type" },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, instead: "a type" }
]

const longest = 400

const files = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? files(path) : path.endsWith(".ts") ? [path] : []
  })

const problems: Array<string> = []

for (const [name, allowed] of Object.entries(mayImport)) {
  const manifest = JSON.parse(readFileSync(`${folderOf(name)}/package.json`, "utf8"))
  if (
    manifest.private !== true &&
    "@lectern/harness" in { ...manifest.dependencies, ...manifest.peerDependencies }
  ) {
    problems.push(`${folderOf(name)}/package.json: a published package must not depend on @lectern/harness`)
  }
  const named = { ...manifest.dependencies, ...manifest.peerDependencies }
  for (const path of files(`${folderOf(name)}/src`)) {
    const text = readFileSync(path, "utf8")
    const lines = text.split("\n").length
    if (lines > longest) problems.push(`${path}: ${lines} lines; a file over ${longest} has two jobs`)
    for (const { pattern, instead } of forbiddenText) {
      if (pattern.test(text)) problems.push(`${path}: ${pattern.source}; use ${instead}`)
    }
    for (const [, specifier] of text.matchAll(/^(?:import|export)\b[^"']*?\bfrom "([^"]+)"/gm)) {
      if (specifier === undefined || specifier.startsWith(".")) continue
      const [scope, rest] = specifier.split("/")
      const dependency = specifier.startsWith("@") ? `${scope}/${rest}` : scope!
      if (scope === "@lectern" && !allowed.includes(rest!))
        problems.push(`${path}: ${name} must not import ${specifier}`)
      if (name === "core" && forbiddenInCore.some((pattern) => pattern.test(specifier))) {
        problems.push(`${path}: core must not import ${specifier}`)
      }
      // A package of types alone is imported by the name of what it types.
      const isNamed = dependency in named || `@types/${dependency}` in named
      if (!specifier.startsWith("node:") && !isNamed) {
        problems.push(`${path}: ${dependency} is not in ${folderOf(name)}/package.json`)
      }
    }
  }
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log("imports: every package imports what it may")
