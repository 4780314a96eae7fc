/** Publishes the files of a repository as a site. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { zipSync } from "fflate"

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (name === ".git") return []
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })

/** The maximum size of a binary file that is part of the archive, in bytes. No page displays larger ones. */
const maximumFileSize = 200_000

/** Returns an archive with the files of a folder. */
export const zipOf = (folder: string): Uint8Array =>
  zipSync(
    Object.fromEntries(
      filesIn(folder)
        .filter((path) => /\.(?:md|ya?ml|json)$/i.test(path) || statSync(path).size <= maximumFileSize)
        .map((path) => [relative(folder, path), readFileSync(path)])
    ),
    { level: 1 }
  )
