/**
 * Builds what `npm start` runs, after `npm install`. Node executes the scripts of the repository from version 22.19 on: an older one
 * installs Node 24 from the registry first, into `testing/node`, which the scripts of npm then find before it.
 */
import { execFileSync, execSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isWindows = process.platform === "win32"
const name = isWindows ? "node.exe" : "node"
const link = join(root, "node_modules/.bin", name)

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  const folder = join(root, "testing/node")
  const program = join(folder, "node_modules/node/bin", name)
  if (!existsSync(program)) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
      stdio: "inherit",
      shell: isWindows
    })
  }
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  if (isWindows) copyFileSync(program, link)
  else symlinkSync("../../testing/node/node_modules/node/bin/node", link)
}
execSync("npm run build:start", { cwd: root, stdio: "inherit" })
