/** Installs the packages of `examples/hosts`, which only its tests need, if its lock file has changed since the last installation. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../examples/hosts", import.meta.url))
const installed = join(folder, "node_modules/.installed")

/** Runs before the tests of `npm run test:hosts`. */
export default (): void => {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8")
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--no-workspaces"], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32"
  })
  writeFileSync(installed, lock)
}
