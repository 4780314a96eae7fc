/**
 * Packs every package as npm publishes it, and checks the tarballs with publint and Are The Types Wrong: that every file of
 * `exports` exists, and that its types resolve for consumers.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const license = readFileSync("LICENSE", "utf8")

/** The packed files of a package, as npm lists them. */
interface Packed {
  readonly files: ReadonlyArray<{ readonly path: string }>
}

const pack = (name: string, destination: string): void => {
  const cwd = join("packages", name)
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", destination], {
    cwd,
    encoding: "utf8"
  })
  const [packed] = Object.values(JSON.parse(output) as Record<string, Packed> | ReadonlyArray<Packed>)
  if (packed === undefined || !packed.files.some(({ path }) => path === "LICENSE")) {
    throw new Error(`The tarball of ${name} has no LICENSE.`)
  }
  if (readFileSync(join(cwd, "LICENSE"), "utf8") !== license) {
    throw new Error(`${join(cwd, "LICENSE")} is not the LICENSE of the repository.`)
  }
  const metadata = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8")) as Record<string, unknown>
  for (const field of ["description", "keywords", "homepage", "bugs", "repository", "publishConfig"]) {
    if (metadata[field] === undefined) throw new Error(`${join(cwd, "package.json")} has no ${field}.`)
  }
}

const folder = mkdtempSync(join(tmpdir(), "lectern-pack-"))
try {
  execFileSync("npx", ["tsc", "-b"], { stdio: "inherit" })
  for (const name of readdirSync("packages")) {
    pack(name, folder)
    execFileSync("npx", ["publint", "run", join("packages", name), "--strict"], { stdio: "inherit" })
  }
  for (const tarball of readdirSync(folder)) {
    execFileSync("npx", ["attw", join(folder, tarball), "--profile", "esm-only"], { stdio: "inherit" })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
