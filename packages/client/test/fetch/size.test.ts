import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { bundleClient } from "../bundle.ts"

/** The maximum size of the minified bundle with gzip, in bytes. */
const maximumGzipBytes = 15_000

/** How many types a file of a host may have more than an empty one if it calls one operation. */
const maximumTypes = 10_000

/** Whether `npm test` runs the file. */
const isFastRun = process.env.LECTERN_TEST_SELECTION === "fast"

const packageFolder = fileURLToPath(new URL("../..", import.meta.url))

it("has at most 15 kB with gzip, and no code of another package", async () => {
  const { code, packages } = await bundleClient(["@lectern/source"], "@lectern/client/fetch")
  expect([...packages]).toEqual(["@lectern/client"])
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(maximumGzipBytes)
})

const oneCall = `import { createClient } from "./client/fetch/index.js"
export const title = async (): Promise<string> => {
  const client = createClient({ baseUrl: "https://docs.example.com", token: "token" })
  return (await client.spaces.getSpaceById({ params: { spaceId: "a" } })).title
}
`

const compiler = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url))

/** Runs the compiler with these options and files in a folder, and returns its diagnostics. */
const compile = (folder: string, compilerOptions: object, files: ReadonlyArray<string>): string => {
  const options = { composite: false, declarationMap: false, types: [], ...compilerOptions }
  const configuration = { extends: "../../../../tsconfig.base.json", compilerOptions: options, files }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration))
  return execFileSync(compiler, ["-p", folder, "--extendedDiagnostics"], { encoding: "utf8" })
}

/** Returns how many types a call of an operation adds to a file that is compiled with the declarations of the client. */
const countTypes = (skipLibCheck: boolean): number => {
  const folder = mkdtempSync(join(packageFolder, "test", ".types-"))
  try {
    const sources = join(packageFolder, "src")
    const declarations = { rootDir: sources, outDir: "client", emitDeclarationOnly: true }
    compile(folder, declarations, [join(sources, "fetch", "index.ts")])
    writeFileSync(join(folder, "call.ts"), oneCall)
    writeFileSync(join(folder, "empty.ts"), "export {}\n")
    const [types = 0, typesOfEmpty = 0] = ["call.ts", "empty.ts"].map((file) => {
      const output = compile(folder, { noEmit: true, declaration: false, skipLibCheck }, [file])
      return Number(/^Types:\s+(\d+)$/m.exec(output)![1])
    })
    return types - typesOfEmpty
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it("adds at most 10,000 types to a file that calls one operation", () => {
  const types = countTypes(true)
  expect(types).toBeGreaterThan(0)
  expect(types).toBeLessThan(maximumTypes)
})

it.skipIf(isFastRun)(
  "adds at most 10,000 types, also if the host checks the declarations of packages",
  () => {
    expect(countTypes(false)).toBeLessThan(maximumTypes)
  }
)
