/** Compiles small programs that use `@lectern/core`, for rules that types enforce. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const testFolder = dirname(dirname(fileURLToPath(import.meta.url)))

/** Returns the errors of the compiler in each of the programs, by their names. An error spans several lines. */
export const compileErrors = <Name extends string>(
  programs: Readonly<Record<Name, string>>
): Readonly<Record<Name, ReadonlyArray<string>>> => {
  const folder = mkdtempSync(join(testFolder, ".compile-"))
  try {
    const entries = Object.entries<string>(programs)
    for (const [name, source] of entries) writeFileSync(join(folder, `${name}.ts`), source)
    const compilerOptions = { composite: false, declaration: false, declarationMap: false, noEmit: true }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: "../../../../tsconfig.base.json",
        compilerOptions,
        files: entries.map(([name]) => `${name}.ts`)
      })
    )
    const { stdout } = spawnSync("npx", ["tsc", "-p", folder, "--pretty", "false"], { encoding: "utf8" })
    const errors = stdout.split(/\n(?=\S)/).filter((text) => text.includes("error TS"))
    const byName: Record<string, ReadonlyArray<string>> = {}
    for (const [name] of entries) byName[name] = errors.filter((text) => text.includes(`/${name}.ts(`))
    return byName as Readonly<Record<Name, ReadonlyArray<string>>>
  } finally {
    rmSync(folder, { recursive: true })
  }
}
