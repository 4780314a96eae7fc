/** Converts the content of files of a repository to stored content: links, settings, and locations in git. */

import {
  decodeText,
  isText,
  type ReadPage,
  replaceMarks,
  stemOf,
  type Target,
  titleOfName
} from "@lectern/formats"
import { parseStoredCondition } from "@lectern/markdown/conditions"
import { wellFormed } from "@lectern/markdown/document"
import { splitPageFile } from "@lectern/markdown/frontMatter"
import type { GitBlob, PageCover } from "@lectern/model/content"
import { sha1 } from "@noble/hashes/legacy.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { PageSettings } from "../../content/edit/importChanges.ts"

/** Returns the location of a file in git, with the hash of its blob. */
export const gitOf = (path: string, bytes: Uint8Array): GitBlob => ({
  oid: bytesToHex(sha1(concatBytes(utf8ToBytes(`blob ${bytes.length}\0`), bytes))),
  path
})

/** Escapes a URL as a link destination in Markdown, including in table cells. */
export const escapeDestination = (url: string): string =>
  url
    .replaceAll(/[\s()<>|\\]/g, (character) =>
      encodeURIComponent(character).replace("(", "%28").replace(")", "%29")
    )
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")

/** Returns the destination of a stored link for the target of a link in a file, or `undefined` if it is not imported. */
export type Destinations = (target: Target) => string | undefined

/** Replaces the placeholders of a file by stored links, or by the destinations as they are written in the file. */
export const resolveMarks = (page: ReadPage, mark: string, destinationOf: Destinations): string =>
  replaceMarks(page.markdown, mark, (index) => {
    const target = page.targets[index]!
    return destinationOf(target) ?? target.otherwise
  })

/** Replaces the placeholders as earlier versions did, which escaped destinations that they cannot resolve. */
const resolveEscapedMarks = (page: ReadPage, mark: string, destinationOf: Destinations): string =>
  resolveMarks(page, mark, (target) => destinationOf(target) ?? escapeDestination(target.otherwise))

/** Whether a stored body is the one that an import of the file has stored. */
export const isImportedBody = (
  stored: string,
  page: ReadPage,
  mark: string,
  destinationOf: Destinations
): boolean =>
  resolveMarks(page, mark, destinationOf) === stored ||
  resolveEscapedMarks(page, mark, destinationOf) === stored

/** Returns the fragment of a URL with `#`; empty without one. */
export const fragmentOf = (url: string): string => (url.includes("#") ? url.slice(url.indexOf("#")) : "")

/** Returns the title of a page that the table of contents does not have; undefined for a file that is not text. */
export const ownTitleOf = (path: string, bytes: Uint8Array): string | undefined => {
  if (!isText(bytes)) return undefined
  const file = splitPageFile(wellFormed(decodeText(bytes)))
  return file.frontMatterTitle ?? file.heading ?? titleOfName(stemOf(path))
}

/** Returns why no visitor sees a page whose condition is not an expression; nothing for other pages. */
export const conditionProblemsOf = ({ fields }: Pick<ReadPage, "fields">): ReadonlyArray<string> => {
  const condition = fields?.condition
  return typeof condition !== "string" || parseStoredCondition(condition) !== undefined
    ? []
    : ["The condition of the page is not understood, so that no visitor sees the page."]
}

/** Converts the fields of front matter to the settings of a page. */
export const settingsOfPage = (
  { description, fields, targets }: Pick<ReadPage, "description" | "fields" | "targets">,
  imageOf: (target: Target) => NonNullable<PageCover["ref"]> | undefined
): PageSettings => {
  const { cover, slug: _, hidden, condition, noIndex, noRobotsIndex, layout, emoji, icon } = fields ?? {}
  const ref = cover === undefined ? undefined : imageOf(targets[cover.target]!)
  const refDark = cover?.darkTarget === undefined ? undefined : imageOf(targets[cover.darkTarget]!)
  return {
    ...(emoji === undefined || emoji === "" ? {} : { emoji }),
    ...(icon === undefined || icon === "" ? {} : { icon }),
    ...(description === undefined || description === "" ? {} : { description }),
    ...(hidden === true ? { hidden } : {}),
    ...(typeof condition === "string" ? { condition } : {}),
    ...(noIndex === true ? { noIndex } : {}),
    ...(noRobotsIndex === true ? { noRobotsIndex } : {}),
    ...(layout === undefined ? {} : { layout }),
    ...(ref === undefined || cover === undefined
      ? {}
      : { cover: { ref, ...(refDark === undefined ? {} : { refDark }), yPos: cover.yPos } })
  }
}

/** Whether two records are equal, regardless of the order of their fields. */
export const isEqualRecord = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** Sorts the fields of records, so that equal records have equal JSON. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)])
  )
}
