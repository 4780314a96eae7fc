/**
 * Checks the size of `@lectern/client`: bundles it for browsers, and installs it from tarballs unless the argument is
 * `--bundles`. Fails if it depends on a package of the server, or if a bundle exceeds its limit.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { bundleClient, serverPackages } from "../packages/client/test/bundle.ts"

/** The maximum size of the minified bundle of each entry with gzip, in bytes. A new operation adds about 300 bytes to the first. */
const maximumGzipBytes = { "@lectern/client": 126_000, "@lectern/client/fetch": 15_000 } as const

const formatKB = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`

const sizeOf = (path: string): number => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

const checkBundle = async (entry: keyof typeof maximumGzipBytes): Promise<ReadonlyArray<string>> => {
  const { code, packages } = await bundleClient([], entry)
  const gzipBytes = gzipSync(code, { level: 9 }).length
  console.log(`${entry}: bundle of ${formatKB(code.length)} minified, ${formatKB(gzipBytes)} with gzip`)
  console.log(`${entry}: bundled packages: ${[...packages].sort().join(", ")}`)
  return [
    ...serverPackages
      .filter((name) => packages.has(name))
      .map((name) => `the bundle of ${entry} contains ${name}`),
    ...(gzipBytes > maximumGzipBytes[entry]
      ? [
          `the bundle of ${entry} has ${gzipBytes} bytes with gzip, over the limit of ${maximumGzipBytes[entry]}`
        ]
      : [])
  ]
}

/** Installs the client from tarballs outside of the repository, as npm does for its users. */
const checkInstallation = (): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-client-"))
  try {
    const tarballs = ["model", "client"].map((name) => {
      const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
        cwd: join("packages", name, "package"),
        encoding: "utf8"
      })
      return join(folder, packed.trim().split("\n").at(-1)!)
    })
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--omit=dev", ...tarballs], {
      cwd: folder
    })
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
      readonly packages: Record<string, unknown>
    }
    const installed = Object.keys(lock.packages)
      .filter((path) => path !== "")
      .map((path) => path.replace(/.*node_modules\//, ""))
    const bytes = sizeOf(join(folder, "node_modules"))
    const effectBytes = sizeOf(join(folder, "node_modules", "effect"))
    console.log(
      `client: ${installed.length} installed packages, ${formatKB(bytes)}, of which effect has ${formatKB(effectBytes)}`
    )
    return serverPackages.filter((name) => installed.includes(name)).map((name) => `${name} is installed`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

execFileSync("npx", ["tsc", "-b"], { stdio: "inherit" })
const installs = !process.argv.includes("--bundles")
if (installs) {
  execFileSync(process.execPath, ["scripts/stage-packages.ts", "model", "client"], { stdio: "inherit" })
}
const problems = [
  ...(await checkBundle("@lectern/client")),
  ...(await checkBundle("@lectern/client/fetch")),
  ...(installs ? checkInstallation() : [])
]
for (const problem of problems) console.error(`client: ${problem}`)
if (problems.length > 0) process.exit(1)
