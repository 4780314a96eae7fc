/**
 * Packs every package as npm publishes it, and checks the tarballs with publint and Are The Types Wrong: that every file of
 * `exports` exists, and that its types resolve for consumers.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

const license = readFileSync("LICENSE", "utf8")

/** The packed files of a package, as npm lists them. */
interface Listing {
  readonly filename: string
  readonly files: ReadonlyArray<{ readonly path: string }>
}

/** The tarball of a package, and its entry points that are stylesheets. */
interface Packed {
  readonly tarball: string
  readonly stylesheets: ReadonlyArray<string>
}

const pack = (name: string, destination: string): Packed => {
  const cwd = join("packages", name, "package")
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", destination], {
    cwd,
    encoding: "utf8"
  })
  const [listing] = Object.values(JSON.parse(output) as Record<string, Listing> | ReadonlyArray<Listing>)
  if (listing === undefined || !listing.files.some(({ path }) => path === "LICENSE")) {
    throw new Error(`The tarball of ${name} has no LICENSE.`)
  }
  if (readFileSync(join(cwd, "LICENSE"), "utf8") !== license) {
    throw new Error(`${join(cwd, "LICENSE")} is not the LICENSE of the repository.`)
  }
  const metadata = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")) as Record<string, unknown>
  for (const field of ["description", "keywords", "homepage", "bugs", "repository", "publishConfig"]) {
    if (metadata[field] === undefined) throw new Error(`${join(cwd, "package.json")} has no ${field}.`)
  }
  const stylesheets = Object.keys(metadata.exports ?? {}).filter((entry) => entry.endsWith(".css"))
  return { tarball: join(destination, listing.filename), stylesheets }
}

const folder = mkdtempSync(join(tmpdir(), "lectern-pack-"))
try {
  execFileSync("npx", ["tsc", "-b"], { stdio: "inherit" })
  execFileSync(process.execPath, ["scripts/stage-packages.ts"], { stdio: "inherit" })
  const packages = readdirSync("packages").map((name) => {
    const packed = pack(name, folder)
    return { name, ...packed }
  })
  const problems: Array<string> = []
  for (const { name } of packages) {
    const pkgDir = join("packages", name, "package")
    const { messages, pkg = {} } = await publint({ pkgDir, strict: true })
    for (const message of messages) {
      problems.push(`${pkgDir}: ${formatMessage(message, pkg, { color: false })}`)
    }
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  for (const { tarball, stylesheets } of packages) {
    // A stylesheet has no types to resolve; publint has checked that the file exists.
    const excluded = stylesheets.length === 0 ? [] : ["--exclude-entrypoints", ...stylesheets]
    execFileSync("npx", ["attw", tarball, "--profile", "esm-only", ...excluded], { stdio: "inherit" })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
