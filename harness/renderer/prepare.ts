/**
 * Prepares a checkout of the official renderer: `node harness/renderer/prepare.ts <checkout> [<version of @gitbook/api>]`. It installs the
 * packages and builds the ones that the renderer imports. Its changes only replace downloads:
 * - the dependency `eval-estree-expression` of a Git repository by its version 3.0.1 of the registry,
 * - the fonts of Google by a module that returns empty class names,
 * - with a version, `@gitbook/api` by that version, for a registry that lacks the pinned one.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

const [given, apiVersion] = process.argv.slice(2)
if (given === undefined) throw new Error("State the path of the checkout.")
const checkout = resolve(given)

interface Manifest {
  readonly packageManager?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

const { packageManager = "bun@1.3.7" } = readManifest(checkout)

const run = (folder: string, command: string, ...parameters: ReadonlyArray<string>): void => {
  console.log(`${folder}: ${command} ${parameters.join(" ")}`)
  const { status } = spawnSync(command, parameters, { cwd: folder, stdio: "inherit" })
  if (status !== 0) throw new Error(`${command} ${parameters.join(" ")} failed in ${folder}.`)
}

/** Runs bun, in the version that the checkout requires, from the registry. */
const bun = (folder: string, ...parameters: ReadonlyArray<string>): void =>
  run(folder, "npx", "--yes", "--package", packageManager, "bun", ...parameters)

/** Replaces text of a file of the checkout, once. A later run changes nothing. */
const patch = (file: string, pattern: RegExp, replacement: string): void => {
  const path = join(checkout, file)
  if (!existsSync(path)) return
  const text = readFileSync(path, "utf8")
  const patched = text.replace(pattern, replacement)
  if (patched !== text) writeFileSync(path, patched)
}

patch(
  "packages/expr/package.json",
  /"eval-estree-expression": "github:[^"]+"/,
  '"eval-estree-expression": "3.0.1"'
)
patch("bun.lock", /"eval-estree-expression": "github:[^"]+"/, '"eval-estree-expression": "3.0.1"')
// Without this entry, bun ignores the whole lock file, and installs other versions than the checkout names.
patch(
  "bun.lock",
  /"eval-estree-expression": \["eval-estree-expression@github:.*\],$/m,
  '"eval-estree-expression": ["eval-estree-expression@3.0.1", "", {}, "sha512-zTLKGbiVdQYp4rQkSoXPibrFf5ZoPn6jzExegRLEQ13F+FSxu5iLgaRH6hlDs2kWSUa6vp8yD20cdJi0me6pEw=="],'
)

if (apiVersion !== undefined) {
  const { stdout } = spawnSync("npm", ["view", `@gitbook/api@${apiVersion}`, "dist.integrity"], {
    encoding: "utf8"
  })
  const integrity = stdout.trim()
  if (integrity === "") throw new Error(`The registry does not have @gitbook/api ${apiVersion}.`)
  for (const file of ["package.json", "bun.lock"])
    patch(file, /"@gitbook\/api": "\d[^"]*"/, `"@gitbook/api": "${apiVersion}"`)
  patch(
    "bun.lock",
    /(?<="@gitbook\/api": \[")@gitbook\/api@[^"]+(".*")[^"]+(?="\],$)/m,
    `@gitbook/api@${apiVersion}$1${integrity}`
  )
}

const fonts = join(checkout, "packages/gitbook/src/fonts/default.ts")
const imported = /import \{([^}]*)\} from 'next\/font\/google';/.exec(readFileSync(fonts, "utf8"))?.[1]
if (imported !== undefined) {
  const names = imported.split(",").map((name) => name.trim())
  const lines = names
    .filter((name) => name !== "")
    .map((name) => `export const ${name} = (_options: unknown) => font;`)
  writeFileSync(
    join(checkout, "packages/gitbook/src/fonts/offline.ts"),
    `const font = { className: '', variable: '', style: { fontFamily: 'sans-serif' } };\n${lines.join("\n")}\n`
  )
  patch("packages/gitbook/src/fonts/default.ts", /'next\/font\/google'/, "'./offline'")
}

// The isolated layout of bun lacks packages that others require without a declaration.
bun(checkout, "install", "--ignore-scripts", "--linker", "hoisted")

const folders = readdirSync(join(checkout, "packages")).map((name) => join(checkout, "packages", name))
const manifests = new Map(
  folders
    .filter((folder) => existsSync(join(folder, "package.json")) && !folder.endsWith("/gitbook"))
    .map((folder) => [folder, readManifest(folder)])
)
for (const [folder, { scripts = {} }] of manifests) {
  if (scripts.generate !== undefined) bun(folder, "run", "generate")
}
/** The built packages. Each is built before the packages that import it. */
const built = new Set<string>()
const nameOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name: string }).name
for (let left = [...manifests]; left.length > 0; ) {
  const local = new Set(left.map(([folder]) => nameOf(folder)))
  const ready = left.filter(([, { dependencies = {} }]) =>
    Object.keys(dependencies).every((name) => !local.has(name))
  )
  for (const [folder, { scripts = {} }] of ready) {
    built.add(folder)
    // Declarations of types take most of the time, and the renderer does not need them.
    if (scripts.build === "tsdown") bun(folder, "x", "tsdown", "--no-dts")
    else if (scripts.build !== undefined) bun(folder, "run", "build")
  }
  if (ready.length === 0) throw new Error("The packages import each other.")
  left = left.filter(([folder]) => !built.has(folder))
}
const renderer = join(checkout, "packages/gitbook")
const assets = join(renderer, "public/~gitbook/static")
bun(renderer, "x", "gitbook-icons", join(assets, "icons"), "custom-icons")
bun(renderer, "x", "gitbook-math", join(assets, "math"))
