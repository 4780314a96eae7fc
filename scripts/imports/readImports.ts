/** Reads the imports of source files. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** An import, or an export from another module. */
export interface Import {
  readonly specifier: string
  /** The text between `import` and `from`. */
  readonly clause: string
}

/** Returns the paths of the source files in a folder and in the folders below it. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesIn(path) : /\.tsx?$/.test(path) ? [path] : []
  })

/** Returns the imports of a file, including imports of types only. */
export const importsOf = (text: string): ReadonlyArray<Import> =>
  Array.from(
    text.matchAll(/^(?:import|export)\s+(?:type\s+)?([^"';]*?)\bfrom "([^"]+)"/gm),
    ([, clause = "", specifier = ""]) => ({ specifier, clause })
  )
