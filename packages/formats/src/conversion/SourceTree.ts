/** Exports and repositories of other documentation tools, which are converted to a repository before they are imported. */

import type { OtherSource } from "@lectern/model/imports"

/** A page of another tool. */
export interface SourcePage {
  /** The path of its Markdown file in the converted repository. */
  readonly path: string
  /** The path of its file in the source; undefined for a section that has no file. */
  readonly source?: string
  /** The content of a page that is not a file of its own, such as a page in the XML of Confluence. */
  readonly content?: Uint8Array
  readonly title: string
  readonly description?: string
  readonly isHidden?: boolean
  /** The slug, if it is not the name of the file. */
  readonly slug?: string
}

/** An entry of the table of contents: a page, a link to a URL, or a section. */
export interface SourceEntry {
  readonly title: string
  /** The path of the page in the converted repository. */
  readonly path?: string
  readonly url?: string
  readonly entries: ReadonlyArray<SourceEntry>
}

/** A page, a file or an entry of a source that is not converted, and why. */
export interface SourceProblem {
  readonly kind: "page" | "file" | "entry"
  readonly resource: string
  readonly reason: string
}

/** The pages of a source with their places. */
export interface SourceTree {
  readonly pages: ReadonlyArray<SourcePage>
  readonly entries: ReadonlyArray<SourceEntry>
  /** The paths that links use for pages, with the paths in the converted repository. */
  readonly aliases: ReadonlyArray<readonly [alias: string, path: string]>
  /** The paths of files in the converted repository that differ from the paths in the source. */
  readonly renamed: ReadonlyArray<readonly [source: string, path: string]>
  /** The files of Markdown that pages include, with their paths in the converted repository. */
  readonly includes: ReadonlyArray<readonly [source: string, path: string]>
  /** The folders that paths are also resolved in, with a final slash, such as `static/`. */
  readonly folders: ReadonlyArray<string>
  /** The paths of URLs that redirect to pages. */
  readonly redirects: ReadonlyArray<readonly [url: string, path: string]>
  /** The problems of the tree. */
  readonly problems: ReadonlyArray<SourceProblem>
}

/** The files of a source that determine its tree. */
export interface SourceFiles {
  /** The paths of all files. */
  readonly paths: ReadonlyArray<string>
  /** The configuration files, and the beginnings of pages, by path. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reads the tree of a source. */
export type ReadSourceTree = (files: SourceFiles) => SourceTree

/** A converted page. Links are placeholders, and refer to paths in the source. */
export interface ConvertedPage {
  readonly markdown: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly icon: string | undefined
  /** The losses of the conversion, one sentence for each kind. */
  readonly problems: ReadonlyArray<string>
}

/** The sources whose pages are Markdown. The others are HTML and XML. */
export type MarkdownSource = Exclude<OtherSource, "confluence">

/** The maximum number of entries of a tree, and their maximum depth. */
export const treeBounds = { entries: 20_000, depth: 16 } as const
