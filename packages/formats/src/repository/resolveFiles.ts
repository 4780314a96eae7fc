/** Resolves the links of a repository to its files. */

import { isFolderPage, markdownExtension } from "./layout.ts"

/**
 * Returns the function that resolves a path to a file: also a page without its extension, and a folder to its page. Paths are equal
 * in every normal form of Unicode: archives of macOS have decomposed names, and their links composed ones.
 */
export const makeFileResolver = ({
  files
}: {
  readonly files: ReadonlyMap<string, unknown>
}): ((path: string) => string | undefined) => {
  const paths = new Map<string, string>()
  const byName = new Map<string, string>()
  for (const path of files.keys()) {
    const name = path.normalize("NFC")
    if (!byName.has(name)) byName.set(name, path)
  }
  for (const [name, path] of byName) {
    if (!markdownExtension.test(path)) continue
    const stem = name.replace(markdownExtension, "")
    if (!paths.has(stem)) paths.set(stem, path)
    const folder = name.split("/").slice(0, -1).join("/")
    if (isFolderPage(path) && !paths.has(folder)) paths.set(folder, path)
  }
  return (path) => {
    if (files.has(path)) return path
    const name = path.normalize("NFC")
    return byName.get(name) ?? paths.get(name.replace(/\/$/, ""))
  }
}
