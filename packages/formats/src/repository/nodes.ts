/** The page tree of a repository, derived from its table of contents, or from the paths of its pages without one. */

import { toCondition } from "@lectern/markdown/frontMatter"
import { slugOf } from "@lectern/markdown/text"
import { ComputedSource, ContentRef, PageSlug } from "@lectern/model/content"
import { Result, Schema } from "effect"
import type { SummaryEntry } from "../conversion/SummaryEntry.ts"
import { resolveInArchive } from "../imports/readMarkdown.ts"
import { isFolderPage, type RepositoryLayout, segmentsOfFile } from "./layout.ts"

/** The target of a link in the page tree: a URL, a page or a file of the repository, or another resource. */
export type NodeTarget =
  | { readonly url: string }
  | { readonly path: string; readonly anchor?: string }
  | { readonly ref: ContentRef }

/** The settings of a page that is not a file. */
export interface NodeSettings {
  readonly emoji?: string
  readonly icon?: string
  readonly hidden?: true
  readonly condition?: string
  readonly noIndex?: true
  readonly noRobotsIndex?: true
}

/** A page in the tree of a repository. */
export interface RepositoryNode {
  readonly type: "document" | "group" | "link" | "computed"
  readonly title: string
  /** The index of the parent in the list; undefined at the root. */
  readonly parent: number | undefined
  /** The path of a document. */
  readonly path?: string
  /** The folder of a document without a file, which contains pages. */
  readonly folder?: string
  readonly target?: NodeTarget
  readonly computed?: ComputedSource
  /** The slug of a group, if it differs from that of its title. */
  readonly slug?: string
  readonly settings?: NodeSettings
}

/** A page of a repository, as far as it affects the tree. */
export interface RepositoryPage {
  readonly path: string
  /** The title of a page that the table of contents does not have. */
  readonly title: string
}

/** The tree of a repository, in which parents come before their children, and siblings are in order. */
export interface RepositoryTree {
  readonly nodes: ReadonlyArray<RepositoryNode>
  /** The paths of the pages that the table of contents lists; of all pages without one. */
  readonly listed: ReadonlySet<string>
  /** Entries of the table of contents that are not in the tree, with the reason. */
  readonly problems: ReadonlyArray<{ readonly resource: string; readonly reason: string }>
}

/** The maximum depth of pages. Deeper pages are placed at this depth. */
const maximumDepth = 30

/** The order of names, with numbers by value: 2 before 10. */
export const nameOrder = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

const compareSegments = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  for (const [index, segment] of a.entries()) {
    if (b[index] === undefined) return 1
    const order = nameOrder.compare(segment, b[index])
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Normalizes a title: one line, at most 256 characters. */
const toTitle = (text: string): string => {
  const clean = Array.from(
    text
      .replaceAll(/[\s\0]+/g, " ")
      .toWellFormed()
      .trim()
  )
  return clean.length > 256 ? `${clean.slice(0, 255).join("")}…` : clean.join("")
}

/** Converts a name to a title: `getting-started` to "Getting started". */
export const titleOfName = (name: string): string => {
  const words = toTitle(name.replaceAll(/[-_]+/g, " "))
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1)
}

const isSlug = Schema.is(PageSlug)

/** Returns an anchor as a slug: as it is written, if it is valid. */
const toSlug = (anchor: string): string => (anchor !== "" && isSlug(anchor) ? anchor : slugOf(anchor, "page"))

/** Matches the targets of links that are URLs of websites, addresses and telephone numbers. Browsers execute others. */
const linkablePattern = /^(?:https?:|mailto:|tel:|\/\/)/i

const notLinkable = "The entry links to a URL with a scheme other than http, https, mailto and tel."

const decodeComputed = Schema.decodeUnknownResult(ComputedSource)
const decodeRef = Schema.decodeUnknownResult(ContentRef)

const settingsIn = (
  values: Readonly<Record<string, unknown>> | undefined
): { readonly settings?: NodeSettings } => {
  const isSet = (name: string) => values?.[name] === true || values?.[name] === "true"
  const condition = values?.if ?? values?.condition ?? undefined
  const settings: NodeSettings = {
    ...(typeof values?.emoji === "string" && values.emoji !== "" ? { emoji: values.emoji } : {}),
    ...(typeof values?.icon === "string" && values.icon !== "" ? { icon: values.icon } : {}),
    ...(isSet("hidden") ? { hidden: true } : {}),
    ...(condition === undefined ? {} : { condition: toCondition(condition) }),
    ...(isSet("no-index") || isSet("noIndex") ? { noIndex: true } : {}),
    ...(isSet("no-robots-index") || isSet("noRobotsIndex") ? { noRobotsIndex: true } : {})
  }
  return Object.keys(settings).length === 0 ? {} : { settings }
}

/** The files of a repository, as far as links in its table of contents can refer to them. */
export interface RepositoryFiles {
  readonly layout: RepositoryLayout
  readonly pages: ReadonlyArray<RepositoryPage>
  /** Returns the path of the file that a path without its extension, or of a folder, refers to. */
  readonly resolve: (path: string) => string | undefined
}

/** Adds the pages that the table of contents lacks, each below the page of the longest prefix of its path. */
function* addUnlisted(
  { layout, pages }: RepositoryFiles,
  indexes: ReadonlyMap<string, number>,
  add: (node: RepositoryNode) => number
): Generator<void> {
  const bySegments = new Map<string, number>()
  for (const [path, index] of indexes) bySegments.set(segmentsOfFile(layout, path).join("/"), index)
  const rest = pages
    .filter(({ path }) => !indexes.has(path))
    .map((page) => ({ page, segments: segmentsOfFile(layout, page.path) }))
    .sort((a, b) => a.segments.length - b.segments.length || compareSegments(a.segments, b.segments))
  for (const { page, segments } of rest) {
    let parent: number | undefined
    for (let length = segments.length - 1; length > 0 && parent === undefined; length--) {
      parent = bySegments.get(segments.slice(0, length).join("/"))
    }
    bySegments.set(segments.join("/"), add({ type: "document", title: page.title, parent, path: page.path }))
    yield
  }
}

function* treeFromSummary(
  summary: ReadonlyArray<SummaryEntry>,
  files: RepositoryFiles
): Generator<void, RepositoryTree> {
  const { layout, pages, resolve } = files
  const nodes: Array<RepositoryNode> = []
  const problems: Array<RepositoryTree["problems"][number]> = []
  const isPage = new Set(pages.map(({ path }) => path))
  const indexes = new Map<string, number>()

  const add = (node: RepositoryNode): number => nodes.push(node) - 1

  const addLink = (entry: SummaryEntry, parent: number | undefined): number | undefined => {
    const destination = entry.destination ?? ""
    const title = toTitle(entry.title) || "Untitled"
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(destination)) {
      if (!linkablePattern.test(destination)) {
        problems.push({ resource: title, reason: notLinkable })
        return undefined
      }
      add({ type: "link", title, parent, target: { url: destination } })
      return undefined
    }
    const resolved = resolveInArchive(layout.summaryPath, destination)
    const [written = "", ...fragment] = (resolved ?? "").split("#")
    const path = resolve(written)
    const anchor = fragment.join("#")
    if (path === undefined) {
      problems.push({
        resource: destination,
        reason: "The table of contents links to a file that does not exist."
      })
      return undefined
    }
    if (isPage.has(path) && !indexes.has(path) && anchor === "") {
      const index = add({ type: "document", title, parent, path })
      indexes.set(path, index)
      return index
    }
    add({ type: "link", title, parent, target: { path, ...(anchor === "" ? {} : { anchor }) } })
    return undefined
  }

  const addSettings = ({ title, settings = {} }: SummaryEntry, parent: number | undefined): void => {
    const computed = decodeComputed(settings)
    const ref = decodeRef(settings.target)
    const common = { title: toTitle(title) || "Untitled", parent, ...settingsIn(settings) }
    if (Result.isSuccess(computed)) add({ type: "computed", ...common, computed: computed.success })
    else if (settings.type === "link" && Result.isSuccess(ref)) {
      const target = ref.success
      if (target.kind === "url" && !linkablePattern.test(target.url)) {
        problems.push({ resource: title, reason: notLinkable })
      } else
        add({
          type: "link",
          ...common,
          target: target.kind === "url" ? { url: target.url } : { ref: target }
        })
    } else problems.push({ resource: title, reason: "The settings of the entry are invalid." })
  }

  function* visit(
    entries: ReadonlyArray<SummaryEntry>,
    parent: number | undefined,
    depth: number
  ): Generator<void> {
    let group: number | undefined
    for (const entry of entries) {
      const above = group ?? parent
      let below = above
      if (entry.kind === "group") {
        group = add({
          type: "group",
          title: toTitle(entry.title) || "Untitled",
          parent: undefined,
          ...(entry.slug === undefined ? {} : { slug: toSlug(entry.slug) }),
          ...settingsIn(entry.settings)
        })
      } else if (entry.kind === "end") group = undefined
      else if (entry.kind === "settings") addSettings(entry, above)
      else if (entry.kind === "link") below = addLink(entry, above) ?? above
      else if (above === undefined && entry.title !== "" && entry.entries.length > 0) {
        below = add({ type: "group", title: toTitle(entry.title), parent: undefined })
      }
      if (entry.entries.length > 0) {
        yield* visit(entry.entries, depth < maximumDepth ? below : above, depth + 1)
      }
      yield
    }
  }
  yield* visit(summary, undefined, 1)

  yield* addUnlisted(files, indexes, add)
  return { nodes, listed: new Set(indexes.keys()), problems }
}

/** Builds the tree from the paths. A folder without a page becomes a group at the root, and an empty page below it. */
function* treeFromPaths({ layout, pages }: RepositoryFiles): Generator<void, RepositoryTree> {
  const nodes: Array<RepositoryNode> = []
  const folders = new Map<string, number>()
  const sorted = pages
    .map((page) => ({ page, segments: segmentsOfFile(layout, page.path) }))
    .sort((a, b) => compareSegments(a.segments, b.segments) || (a.page.path < b.page.path ? -1 : 1))
  for (const { page, segments } of sorted) {
    let parent: number | undefined
    for (let length = 1; length < Math.min(segments.length, maximumDepth); length++) {
      const folder = segments.slice(0, length).join("/")
      let index = folders.get(folder)
      if (index === undefined) {
        const name = segments[length - 1]!
        const node: RepositoryNode =
          length === 1
            ? { type: "group", title: titleOfName(name), parent, slug: slugOf(name, "page") }
            : { type: "document", title: titleOfName(name), parent, folder }
        index = nodes.push(node) - 1
        folders.set(folder, index)
      }
      parent = index
    }
    const index = nodes.push({ type: "document", title: page.title, parent, path: page.path }) - 1
    const key = segments.join("/")
    if (isFolderPage(page.path) || !folders.has(key)) folders.set(key, index)
    yield
  }
  return { nodes, listed: new Set(pages.map(({ path }) => path)), problems: [] }
}

/**
 * Builds the tree of a repository from its table of contents, if it has one, otherwise from the paths of its pages. It yields after each
 * entry and each page, because repositories have very many of both.
 */
export function* repositoryTreeInSteps(
  summary: ReadonlyArray<SummaryEntry> | undefined,
  files: RepositoryFiles
): Generator<void, RepositoryTree> {
  const tree = yield* summary === undefined ? treeFromPaths(files) : treeFromSummary(summary, files)
  yield
  return { ...tree, nodes: inReadingOrder(tree.nodes) }
}

/** Builds the tree of a repository without pauses. */
export const buildRepositoryTree = (
  summary: ReadonlyArray<SummaryEntry> | undefined,
  files: RepositoryFiles
): RepositoryTree => {
  const steps = repositoryTreeInSteps(summary, files)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Orders nodes so that the pages below a page directly follow it. */
const inReadingOrder = (nodes: ReadonlyArray<RepositoryNode>): ReadonlyArray<RepositoryNode> => {
  const children = new Map<number | undefined, Array<number>>()
  for (const [index, { parent }] of nodes.entries()) {
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [index])
    else siblings.push(index)
  }
  const ordered: Array<RepositoryNode> = []
  const visit = (at: number | undefined, parent: number | undefined): void => {
    for (const index of children.get(at) ?? []) visit(index, ordered.push({ ...nodes[index]!, parent }) - 1)
  }
  visit(undefined, undefined)
  return ordered
}

/** Returns the stable identifiers of nodes, by which a repeated import finds their pages. */
export const keysOfNodes = (nodes: ReadonlyArray<RepositoryNode>): ReadonlyArray<string> => {
  const taken = new Set<string>()
  /** The last number of each key: many groups can have the same title. */
  const numbers = new Map<string, number>()
  const keys: Array<string> = []
  for (const { type, title, parent, path, folder, target } of nodes) {
    const above = parent === undefined ? "" : keys[parent]!
    const key =
      type === "document"
        ? (path ?? `${folder}/`)
        : type === "group"
          ? `#${title}`
          : `${type}:${above}>${title}>${JSON.stringify(target ?? "")}`
    let number = numbers.get(key) ?? 1
    let unique = number === 1 ? key : `${key}~${number}`
    while (taken.has(unique)) unique = `${key}~${++number}`
    numbers.set(key, number)
    taken.add(unique)
    keys.push(unique)
  }
  return keys
}
