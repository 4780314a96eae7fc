/** Counts the lines of packages, and the lines of code: without generated files, comments and empty lines. */
import { readFileSync } from "node:fs"
import { filesIn } from "./readImports.ts"

const isCode = (line: string): boolean => line.trim() !== "" && !line.trim().startsWith("//")

/** Prints the lines of each package, by the folder of its sources. */
export const printLines = (roots: ReadonlyArray<string>): void => {
  let total = 0
  for (const root of roots) {
    let [lines, code] = [0, 0]
    for (const path of filesIn(root)) {
      const text = readFileSync(path, "utf8")
      lines += text.split("\n").length - 1
      if (path.endsWith(".gen.ts")) continue
      code += text
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .split("\n")
        .filter(isCode).length
    }
    total += code
    console.log(`${root}: ${lines} lines, ${code} of code`)
  }
  console.log(`${total} lines of code`)
}
