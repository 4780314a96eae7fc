/**
 * Checks what `@lectern/client` costs an application: bundles it for browsers, installs it as npm would, and fails when
 * a package of the server comes with it or the bundle is over its limit.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { bundleClient, serverPackages } from "../packages/client/test/bundle.ts"

/** The most bytes of the bundle, minified and compressed. Lower it when the bundle shrinks. */
const maximumGzipBytes = 230_000

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`

const sizeOf = (path: string): number => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

const checkBundle = async (): Promise<ReadonlyArray<string>> => {
  const { code, packages } = await bundleClient()
  const gzipBytes = gzipSync(code, { level: 9 }).length
  console.log(`client: the bundle has ${kilobytes(code.length)} minified, ${kilobytes(gzipBytes)} with gzip`)
  console.log(`client: the bundle is made of ${[...packages].sort().join(", ")}`)
  return [
    ...serverPackages.filter((name) => packages.has(name)).map((name) => `the bundle contains ${name}`),
    ...(gzipBytes > maximumGzipBytes
      ? [`the bundle has ${gzipBytes} bytes with gzip; the limit is ${maximumGzipBytes}`]
      : [])
  ]
}

/** Installs the client from tarballs, outside of this repository. */
const checkInstallation = (): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-client-"))
  try {
    const tarballs = ["core", "client"].map((name) => {
      const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
        cwd: join("packages", name),
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
      `client: ${installed.length} packages are installed with it, ${kilobytes(bytes)}, of which effect is ${kilobytes(effectBytes)}`
    )
    return serverPackages.filter((name) => installed.includes(name)).map((name) => `${name} is installed`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

execFileSync("npx", ["tsc", "-b"], { stdio: "inherit" })
const problems = [...(await checkBundle()), ...checkInstallation()]
for (const problem of problems) console.error(`client: ${problem}`)
if (problems.length > 0) process.exit(1)
