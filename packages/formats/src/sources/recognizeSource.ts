/** Recognizes the tool that an archive or a repository comes from, by the paths of its files. */

import type { OtherSource } from "@lectern/model/imports"
import { notionId } from "./support/notionId.ts"

const nameOf = (path: string): string => path.split("/").at(-1)!
const hasName =
  (pattern: RegExp) =>
  (path: string): boolean =>
    pattern.test(nameOf(path))
/** Whether a file is not deeper than the folder of a project in a repository. */
const isNearRoot = (path: string): boolean => path.split("/").length <= 3

const confluencePage = /_?\d{4,}\.html$/
const outlineUpload = /(?:^|\/)(?:uploads|public|attachments)\/[0-9a-f-]{36}\/[0-9a-f-]{36}\//i

const isNotion = (paths: ReadonlyArray<string>): boolean => {
  const pages = paths.filter((path) => /\.(?:md|html|csv)$/i.test(path))
  return pages.length > 0 && pages.filter((path) => notionId.test(nameOf(path))).length * 2 > pages.length
}

const isConfluence = (paths: ReadonlyArray<string>): boolean => {
  if (paths.includes("entities.xml")) return true
  const pages = paths.filter((path) => /\.html$/i.test(path) && !path.includes("/"))
  const numbered = pages.filter((path) => confluencePage.test(path))
  return pages.includes("index.html") && numbered.length > 0 && numbered.length * 2 >= pages.length - 1
}

/**
 * Returns the tool that the files of an archive come from; undefined for repositories of GitBook, which have a configuration or
 * a table of contents, and for other folders of Markdown.
 */
export const recognizeSource = (paths: ReadonlyArray<string>): OtherSource | undefined => {
  if (paths.some((path) => path === ".gitbook.yaml" || path.toLowerCase() === "summary.md")) return undefined
  const near = paths.filter(isNearRoot)
  if (near.some(hasName(/^docusaurus\.config\.[cm]?[jt]s$/))) return "docusaurus"
  if (paths.some((path) => /^mkdocs\.ya?ml$/.test(path))) return "mkdocs"
  const isMdx = paths.some((path) => path.endsWith(".mdx"))
  if (near.some(hasName(/^mint\.json$/)) || (isMdx && near.some(hasName(/^docs\.json$/)))) return "mintlify"
  if (isConfluence(paths)) return "confluence"
  if (isNotion(paths)) return "notion"
  return paths.some((path) => outlineUpload.test(path)) ? "outline" : undefined
}
