/** Finds the places of pages and files of a source in the converted repository. */

import type { SourceTree } from "../../conversion/SourceTree.ts"
import { relativePathOf } from "../../repository/relativePath.ts"

/** Returns the path in the converted repository that a path of the source refers to, without its fragment. */
export type Locate = (path: string) => string | undefined

/** Resolves the parts `.` and `..` of a path, and removes empty parts. The path cannot leave the source. */
export const resolveParts = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return parts.join("/")
}

const normalize = (path: string): string => resolveParts(path.normalize("NFC"))

/** Creates the function that finds places. `files` are the paths of the source that are not pages. */
export const makeLocate = (
  { aliases, renamed, includes, folders }: SourceTree,
  files: ReadonlyArray<string>
): Locate => {
  const places = new Map<string, string>()
  const add = (source: string, path: string): void => {
    const key = normalize(source)
    if (!places.has(key)) places.set(key, path)
  }
  for (const [alias, path] of [...aliases, ...includes, ...renamed]) add(alias, path)
  for (const path of files) add(path, path)
  return (path) => {
    const wanted = normalize(path.split("?", 1)[0]!)
    for (const folder of ["", ...folders]) {
      const whole = normalize(`${folder}${wanted}`)
      const stem = whole.replace(/\.(?:mdx?|html)$/i, "")
      const found = places.get(whole) ?? places.get(stem) ?? places.get(`${stem}/index`)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Escapes the characters of a path that a destination in Markdown cannot contain. */
export const escapePath = (path: string): string =>
  path.replaceAll(/[\s()<>|\\%?#"&]/g, (character) =>
    encodeURIComponent(character).replace("(", "%28").replace(")", "%29")
  )

/** Returns the destination of a link from a file to another file. */
export const linkTo = (from: string, to: string): string => escapePath(relativePathOf(from, to))
