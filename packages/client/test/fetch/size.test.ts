import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { bundleClient } from "../bundle.ts"

/** The maximum size of the minified bundle with gzip, in bytes. */
const maximumGzipBytes = 15_000

/** How many types a file may have more than an empty one if it calls one operation. */
const maximumTypes = 11_000

const packageFolder = fileURLToPath(new URL("../..", import.meta.url))

it("has at most 15 kB with gzip, and no code of another package", async () => {
  const { code, packages } = await bundleClient(["@lectern/source"], "@lectern/client/fetch")
  expect([...packages]).toEqual(["@lectern/client"])
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(maximumGzipBytes)
})

const oneCall = `import { createClient } from "@lectern/client/fetch"
export const title = async (): Promise<string> => {
  const client = createClient({ baseUrl: "https://docs.example.com", token: "token" })
  return (await client.spaces.getSpaceById({ params: { spaceId: "a" } })).title
}
`

/** Compiles a file within the package, whose name resolves to its sources, and returns the number of types. */
const countTypes = (text: string): number => {
  const folder = mkdtempSync(join(packageFolder, "test", ".types-"))
  try {
    writeFileSync(join(folder, "file.ts"), text)
    const compilerOptions = { noEmit: true, composite: false, types: [] }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../../../tsconfig.base.json", compilerOptions, files: ["file.ts"] })
    )
    const compiler = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url))
    const output = execFileSync(compiler, ["-p", folder, "--extendedDiagnostics"], { encoding: "utf8" })
    return Number(/^Types:\s+(\d+)$/m.exec(output)![1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it("adds at most 11,000 types to a file that calls one operation", () => {
  const types = countTypes(oneCall) - countTypes("export {}\n")
  expect(types).toBeGreaterThan(0)
  expect(types).toBeLessThan(maximumTypes)
})
