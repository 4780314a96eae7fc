/** Reads the tree of a source whose pages are Markdown, and converts its pages. */

import type { OtherSource } from "@lectern/model/imports"
import type { Readings } from "../conversion/Readings.ts"
import type { MarkdownSource, ReadSourceTree, SourceFiles, SourceTree } from "../conversion/SourceTree.ts"
import { decodeText } from "../imports/decode.ts"
import { markTargets } from "../imports/readMarkdown.ts"
import { convertCsv, convertMarkdown } from "./dialects/convertMarkdown.ts"
import { readDocusaurus } from "./trees/docusaurus.ts"
import { readMintlify } from "./trees/mintlify.ts"
import { readMkdocs } from "./trees/mkdocs.ts"
import { readNotion } from "./trees/notion.ts"
import { readOutline } from "./trees/outline.ts"

const trees: Readonly<Record<MarkdownSource, ReadSourceTree>> = {
  docusaurus: readDocusaurus,
  mintlify: readMintlify,
  mkdocs: readMkdocs,
  notion: readNotion,
  outline: readOutline
}

/** Reads the tree of a source. */
export const readSourceTree = (source: MarkdownSource, files: SourceFiles): SourceTree => trees[source](files)

/** The files that determine the tree of a source, in addition to the beginnings of its pages. */
const configurations: Readonly<Record<OtherSource, RegExp | undefined>> = {
  confluence: /^(?:index\.html|entities\.xml)$/,
  docusaurus:
    /(?:^|\/)(?:docusaurus\.config\.[cm]?[jt]s|[\w.-]*sidebars?[\w.-]*\.(?:[cm]?[jt]s|json)|_category_\.(?:json|ya?ml))$/i,
  mkdocs: /^mkdocs\.ya?ml$/,
  // `docs.json` refers to files with the navigation of a language or of a part.
  mintlify: /(?:^|\/)(?:mint|docs|[a-z]{2}(?:-[A-Za-z]{2,4})?|(?:nav|navigation)(?:[/.-][\w.-]+)?)\.json$/,
  notion: undefined,
  outline: /(?:^|\/)metadata\.json$/
}

/** How much of a file is read for the tree. */
export type TreePart = "whole" | "beginning" | "none"

/** Returns how much of the file at a path determines the tree of a source. */
export const treePartOf = (source: OtherSource, path: string): TreePart => {
  if (configurations[source]?.test(path) === true && !path.includes("node_modules/")) return "whole"
  if (source === "confluence") return "none"
  return /\.mdx?$|\.markdown$/i.test(path) || (source === "notion" && /\.html$/i.test(path))
    ? "beginning"
    : "none"
}

/** Matches files that are not pages, although they have the extensions of pages: earlier versions, translations and dependencies. */
const otherPages = /(?:^|\/)(?:node_modules|versioned_docs|[\w-]+_versioned_docs|i18n)\//

/** Returns how many pages an archive of a source has by the names of its files. */
export const countPages = (source: OtherSource, paths: ReadonlyArray<string>): number =>
  paths.filter((path) => treePartOf(source, path) === "beginning" && !otherPages.test(path)).length

const notionUrl = /^https:\/\/(?:www\.)?notion\.(?:so|site)\/(?:[^?#]*[-/])?([0-9a-f]{32})(?:[?#]|$)/i

/** Returns the path in the source that a URL refers to: Notion writes links to other pages of an export as URLs. */
export const localPathOf = (source: OtherSource, url: string): string | undefined => {
  const id = source === "notion" ? notionUrl.exec(url)?.[1] : undefined
  return id === undefined ? undefined : `notion-id/${id.toLowerCase()}`
}

/** Converts a page that is Markdown or CSV. Throws `NotReadable` if it is not text. */
export const readSourceMarkdown = (
  source: MarkdownSource,
  { bytes, path, mark }: Readings["sourcePage"]["in"]
): Readings["sourcePage"]["out"] => {
  const text = decodeText(bytes)
  const page = /\.csv$/i.test(path) ? convertCsv(text) : convertMarkdown(source, text)
  const { markdown, targets } = markTargets(page.markdown, {
    mark,
    base: path,
    localPathOf: (url) => localPathOf(source, url)
  })
  return { ...page, markdown, targets }
}
