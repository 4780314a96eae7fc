/** Collects the pages, the links and the problems of a source while its tree is read. */

import { slugOfName } from "@lectern/markdown/text"
import {
  type SourceEntry,
  type SourcePage,
  type SourceProblem,
  type SourceTree,
  treeBounds
} from "../../conversion/SourceTree.ts"

/** An entry whose children are added while the tree is read. */
export interface OpenEntry extends SourceEntry {
  readonly entries: Array<OpenEntry>
}

/** A section of a tree: see {@link TreeBuilder.placeSection}. */
export interface Section {
  readonly title: string
  /** The path of the page of the section, if it has one. */
  readonly page?: string | undefined
  /** The folder of a page for a section without one, with a final slash; by default, that of the pages below the parent. */
  readonly folder?: string | undefined
  readonly description?: string | undefined
}

/** Returns the folder of the pages below a page, with a final slash. */
export const folderBelow = (page: string): string => `${page.replace(/\.md$/, "")}/`

/** Builds the tree of a source. */
export class TreeBuilder {
  readonly entries: Array<OpenEntry> = []
  private readonly pages = new Map<string, SourcePage>()
  private readonly bySource = new Map<string, string>()
  private readonly taken = new Set<string>()
  private readonly aliases = new Map<string, string>()
  private readonly renamed = new Map<string, string>()
  private readonly includes = new Map<string, string>()
  private readonly redirects = new Map<string, string>()
  /** The paths of URLs of pages in the source. */
  private readonly urls = new Set<string>()
  private readonly problems: Array<SourceProblem> = []
  private count = 0

  /** Returns a path for a Markdown file that no page has yet, also not in another case. */
  freePath(wanted: string): string {
    const stem = wanted.replace(/\.md$/, "")
    let path = `${stem}.md`
    for (let number = 2; this.taken.has(path.toLowerCase()); number++) path = `${stem}-${number}.md`
    return path
  }

  /** Adds a page, and returns its path. */
  add(page: SourcePage): string {
    this.pages.set(page.path, page)
    this.taken.add(page.path.toLowerCase())
    if (page.source !== undefined && !this.bySource.has(page.source))
      this.bySource.set(page.source, page.path)
    return page.path
  }

  /** Returns the path of the page that the file at a path of the source is converted to. */
  pathOf(source: string): string | undefined {
    return this.bySource.get(source)
  }

  /** Returns the title of the page at a path of the converted repository. */
  titleOf(path: string): string | undefined {
    return this.pages.get(path)?.title
  }

  /** Adds an entry below another one, or at the root. Returns undefined beyond the maximum number of entries. */
  place(parent: OpenEntry | undefined, entry: Omit<SourceEntry, "entries">): OpenEntry | undefined {
    if (++this.count > treeBounds.entries) return undefined
    const open: OpenEntry = { ...entry, entries: [] }
    ;(parent?.entries ?? this.entries).push(open)
    return open
  }

  /**
   * Places a section, which contains other entries. A section without a page is a group at the root, because groups cannot be
   * below pages, and has an empty page elsewhere.
   */
  placeSection(
    parent: OpenEntry | undefined,
    { title, page, folder, description }: Section
  ): OpenEntry | undefined {
    if (page !== undefined) return this.place(parent, { title, path: page })
    if (parent === undefined) return this.place(parent, { title })
    const above = folder ?? (parent.path === undefined ? "" : folderBelow(parent.path))
    const path = this.freePath(`${above}${slugOfName(title) || "section"}`)
    this.add({ path, title, ...(description === undefined ? {} : { description }) })
    return this.place(parent, { title, path })
  }

  /** Resolves links with a path to a page. The first page keeps the path. */
  alias(path: string, page: string): void {
    const key = path.replace(/^\/+|\/+$/g, "")
    if (!this.aliases.has(key)) this.aliases.set(key, page)
  }

  /** Makes the URL of a page in the source redirect to it. */
  redirect(url: string, page: string): void {
    const key = url.replace(/^\/+|\/+$/g, "")
    if (key !== "") this.urls.add(key)
    if (key !== "" && key !== page.replace(/\.md$/, "") && !this.redirects.has(key))
      this.redirects.set(key, page)
  }

  /** Adds a file of Markdown that pages include. */
  addInclude(source: string): void {
    const stem = slugOfName(source.replace(/\.mdx?$/i, "").replaceAll("/", "-")) || "include"
    const path = this.freePath(`.gitbook/includes/${stem.replace(/^[-_.]+/, "")}`)
    this.taken.add(path.toLowerCase())
    this.includes.set(source, path)
  }

  /** Changes the path of a file in the converted repository. */
  rename(source: string, path: string): void {
    this.renamed.set(source, path)
  }

  /** Reports a page, a file or an entry that is not converted. */
  report(kind: SourceProblem["kind"], resource: string, reason: string): void {
    if (this.problems.length < treeBounds.entries) this.problems.push({ kind, resource, reason })
  }

  /** Hides the pages that no entry places, and lists them at the end of the root, at no URL that another page has in the source. */
  hideUnplaced(reason: string): void {
    const placed = new Set<string>()
    const visit = (entries: ReadonlyArray<SourceEntry>): void => {
      for (const { path, entries: inner } of entries) {
        if (path !== undefined) placed.add(path)
        visit(inner)
      }
    }
    visit(this.entries)
    for (const page of this.pages.values()) {
      if (placed.has(page.path)) continue
      const stem = page.path.replace(/\.md$/, "")
      const isTaken = stem.includes("/") && this.urls.has(stem.split("/").at(-1)!)
      const slug = isTaken ? { slug: stem.replaceAll("/", "-") } : {}
      this.pages.set(page.path, { ...page, ...slug, isHidden: true })
      this.place(undefined, { title: page.title, path: page.path })
      this.report("page", page.source ?? page.title, reason)
    }
  }

  /** Returns the tree. Links also resolve paths in the given folders. */
  finish(folders: ReadonlyArray<string> = []): SourceTree {
    for (const [source, path] of this.bySource) if (!this.aliases.has(source)) this.aliases.set(source, path)
    return {
      pages: [...this.pages.values()],
      entries: this.entries,
      aliases: [...this.aliases],
      renamed: [...this.renamed],
      includes: [...this.includes],
      folders,
      redirects: [...this.redirects],
      problems: this.problems
    }
  }
}
