/**
 * Packs every package as npm publishes it, and checks the tarballs with publint and Are The Types Wrong: that every file of
 * `exports` exists, and that its types resolve for consumers.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "lectern-pack-"))
try {
  execFileSync("npx", ["tsc", "-b"], { stdio: "inherit" })
  for (const name of readdirSync("packages")) {
    execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: join("packages", name) })
    execFileSync("npx", ["publint", "run", join("packages", name), "--strict"], { stdio: "inherit" })
  }
  for (const tarball of readdirSync(folder)) {
    execFileSync("npx", ["attw", join(folder, tarball), "--profile", "esm-only"], { stdio: "inherit" })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
