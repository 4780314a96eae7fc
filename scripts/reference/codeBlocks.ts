/** The blocks of code in the README and in the pages of the documentation. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
export const repositoryFolder = fileURLToPath(new URL("../..", import.meta.url))

/** A block of code. */
export interface Block {
  /** The path of the page in the repository. */
  readonly page: string
  /** The line of the fence above the code. */
  readonly line: number
  /** The lines between the fences. */
  readonly code: string
  /** Whether it is a file of `examples`, which `npm run reference` writes. */
  readonly isFile: boolean
}

const listed = [
  ...readFileSync(join(repositoryFolder, "docs/SUMMARY.md"), "utf8").matchAll(/\]\(([^)]+\.md)\)/g)
].map(([, path]) => join("docs", path!))

/** Returns the blocks of a language, in the order of the table of contents. The README of the repository is first. */
export const blocksOf = (language: string): ReadonlyArray<Block> =>
  ["README.md", ...listed].flatMap((page) => {
    const text = readFileSync(join(repositoryFolder, page), "utf8")
    // A block in a list is indented.
    const pattern = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, "gm")
    return [...text.matchAll(pattern)].map(({ 1: code, index }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      code: code!,
      isFile: text.slice(0, index).trimEnd().split("\n").at(-1)!.startsWith('{% code title="examples/')
    }))
  })
