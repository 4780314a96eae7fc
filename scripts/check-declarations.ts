/**
 * Checks the declarations that the packages publish, after `tsc -b`.
 *
 * - No parameter is named `argument` or `argument_1`: the compiler generates these names if it cannot derive one.
 * - No type of Effect is written out, member by member: the compiler does so where it cannot name a class of another file.
 * - The declarations of model, kernel, access, core and client stay small without their comments: types cost every compiler and editor that
 *   loads them time and memory. They grow quickly when the type of a schema is written out instead of named.
 *
 * Declarations whose source no longer exists are left over from an earlier build, and are not counted.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The maximum sizes without comments, in kB of 1000 bytes. */
const maximumKB = { model: 805, kernel: 235, access: 72, core: 500, client: 20, api: 300 } as const

/** A parameter, or an element of a tuple of parameters, whose name is lost. Properties are separated by semicolons. */
const lostName = /[([,]\s*(?:\.\.\.)?(argument(?:_\d+)?)\??:/g

/** A member that every schema inherits from Effect. */
const expandedSchema = /^ *pipe<A>\(this: A\): A;/m

interface Declaration {
  readonly path: string
  readonly text: string
}

/** The current declarations of a package. */
const declarationsOf = (name: string): ReadonlyArray<Declaration> => {
  const root = join("packages", name)
  const folder = join(root, "dist")
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".d.ts"))
    .filter((file) => existsSync(join(root, "src", file.replace(/\.d\.ts$/, ".ts"))))
    .sort()
    .map((file) => ({ path: join(folder, file), text: readFileSync(join(folder, file), "utf8") }))
}

const comment = /\/\*[\s\S]*?\*\//g

/** The sizes of declarations in bytes: as a whole, and without comments. */
const sizesOf = (
  declarations: ReadonlyArray<Declaration>
): { readonly all: number; readonly types: number } => ({
  all: declarations.reduce((size, { text }) => size + Buffer.byteLength(text), 0),
  types: declarations.reduce((size, { text }) => size + Buffer.byteLength(text.replace(comment, "")), 0)
})

const formatKB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

const packages = readdirSync("packages").sort()
const declarations = new Map(packages.map((name) => [name, declarationsOf(name)] as const))
const problems: Array<string> = []

for (const [name, files] of declarations) {
  if (files.length === 0) problems.push(`packages/${name}/dist has no declarations: run \`npx tsc -b\`.`)
  const sizes = sizesOf(files)
  console.log(
    `${name}: ${formatKB(sizes.all)} of declarations in ${files.length} files, ${formatKB(sizes.types)} without comments`
  )
  for (const { path, text } of files) {
    const expanded = expandedSchema.exec(text)
    if (expanded !== null) {
      problems.push(
        `${path}:${lineOf(text, expanded.index)}: the type of a schema is written out. Export its class.`
      )
    }
    for (const match of text.matchAll(lostName)) {
      problems.push(
        `${path}:${lineOf(text, match.index)}: a parameter is named \`${match[1]}\`. Give its type a name, or annotate it.`
      )
    }
  }
}

const apiPath = join("packages", "model", "dist", "api", "Api.d.ts")
const api = declarations.get("model")?.filter(({ path }) => path === apiPath) ?? []
if (api.length === 0) problems.push(`${apiPath} does not exist.`)

/** Generated types name each schema once. A test counts how many of them a program loads. */
const clientFiles = (declarations.get("client") ?? []).filter(({ path }) => !path.endsWith(".gen.d.ts"))

const limits = [
  { title: "packages/model/dist", files: declarations.get("model") ?? [], maximum: maximumKB.model },
  { title: "packages/kernel/dist", files: declarations.get("kernel") ?? [], maximum: maximumKB.kernel },
  { title: "packages/access/dist", files: declarations.get("access") ?? [], maximum: maximumKB.access },
  { title: "packages/core/dist", files: declarations.get("core") ?? [], maximum: maximumKB.core },
  { title: "packages/client/dist", files: clientFiles, maximum: maximumKB.client },
  { title: apiPath, files: api, maximum: maximumKB.api }
]
for (const { title, files, maximum } of limits) {
  const { types } = sizesOf(files)
  if (types <= maximum * 1000) continue
  problems.push(
    `The declarations of ${title} have ${formatKB(types)} without comments; the maximum is ${maximum} kB. Name the types that are written out.`
  )
}

if (problems.length > 0) {
  console.error(problems.join("\n"))
  process.exitCode = 1
}
