/** Reads the tree of an MkDocs project: the navigation in `mkdocs.yml`, or the folders without one. */

import type { ReadSourceTree } from "../../conversion/SourceTree.ts"
import { treeBounds } from "../../conversion/SourceTree.ts"
import { titleOfName } from "../../repository/nodes.ts"
import { type OpenEntry, TreeBuilder } from "../support/TreeBuilder.ts"
import {
  isValues,
  listOf,
  parseConfiguration,
  readHead,
  textOf,
  type Values,
  valuesOf
} from "../support/values.ts"
import { placeByFolders } from "./folders.ts"

const configName = /^mkdocs\.ya?ml$/

/** Returns the path of a page in URLs: without its extension, and without the name of an index. */
const urlOf = (path: string): string =>
  path.replace(/\.(?:md|markdown)$/i, "").replace(/(?:^|\/)(?:index|README)$/, "")

/** Returns the redirects that the plugin for redirects declares. */
const redirectsOf = (config: Values): ReadonlyArray<readonly [from: string, to: string]> =>
  (Array.isArray(config.plugins) ? listOf(config.plugins) : [config.plugins]).flatMap((plugin) =>
    Object.entries(valuesOf(valuesOf(valuesOf(plugin).redirects).redirect_maps)).flatMap(([from, to]) =>
      typeof to === "string" ? [[from, to] as const] : []
    )
  )

/** Returns the names of the files and folders that text links to, in the order of the links. */
const linkedNames = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\]\((?:\.\/)?([^\s()#:]{1,300})/g)].map(([, target]) => target!.split("/")[0]!)

/** Places the items of a navigation. A section whose first item is its index has that page. */
const placeNavigation = (
  builder: TreeBuilder,
  docs: string,
  navigation: unknown,
  { paths, texts }: Parameters<ReadSourceTree>[0]
): void => {
  /** Places the pages of a folder, in the order of the links of its index, as plugins of MkDocs do. */
  const placeFolder = (parent: OpenEntry | undefined, title: string | undefined, folder: string): boolean => {
    const sources = paths.filter((path) => path.startsWith(folder) && builder.pathOf(path) !== undefined)
    const index = sources.find((path) => /^(?:index|README|SUMMARY)\.md$/i.test(path.slice(folder.length)))
    if (sources.length === 0) return false
    const names = linkedNames((index === undefined ? undefined : texts.get(index)) ?? "")
    const page = index === undefined ? undefined : builder.pathOf(index)
    const name =
      (page === undefined ? undefined : builder.titleOf(page)) ?? titleOfName(folder.split("/").at(-2)!)
    const entry = builder.placeSection(parent, { title: title ?? name, page })
    if (entry === undefined) return true
    placeByFolders(builder, sources, folder, {
      parent: { entry, path: folder.slice(docs.length), page: index },
      rankOf: (child) => (names.includes(child) ? names.indexOf(child) : names.length)
    })
    return true
  }
  const placeLeaf = (parent: OpenEntry | undefined, title: string | undefined, target: string): void => {
    if (/^[a-z][a-z\d+.-]*:/i.test(target)) {
      builder.place(parent, { title: title ?? target, url: target })
      return
    }
    const path = builder.pathOf(docs + target.replace(/^\.?\//, ""))
    if (path === undefined) {
      const folder = docs + target.replace(/^\.?\/|\*+(?:\.md)?$/g, "")
      if (!folder.endsWith("/") || !placeFolder(parent, title, folder))
        builder.report("entry", target, "The navigation lists a page that does not exist.")
    } else builder.place(parent, { title: title ?? builder.titleOf(path) ?? target, path })
  }
  const placeSection = (
    parent: OpenEntry | undefined,
    title: string,
    items: unknown,
    depth: number
  ): void => {
    const [first, ...rest] = listOf(items)
    const index =
      typeof first === "string" && urlOf(first) !== first.replace(/\.md$/, "")
        ? builder.pathOf(docs + first)
        : undefined
    const entry = builder.placeSection(parent, { title, page: index })
    if (entry !== undefined) place(entry, index === undefined ? items : rest, depth + 1)
  }
  const place = (parent: OpenEntry | undefined, items: unknown, depth: number): void => {
    if (depth > treeBounds.depth) return
    for (const item of listOf(items)) {
      if (typeof item === "string") placeLeaf(parent, undefined, item)
      for (const [title, target] of Object.entries(isValues(item) ? item : {})) {
        if (typeof target === "string") placeLeaf(parent, title, target)
        else placeSection(parent, title, target, depth)
      }
    }
  }
  place(undefined, navigation, 0)
}

/** Reads the tree of an MkDocs project. */
export const readMkdocs: ReadSourceTree = (source) => {
  const { paths, texts } = source
  const builder = new TreeBuilder()
  const configPath = paths.find((path) => configName.test(path)) ?? "mkdocs.yml"
  const config = parseConfiguration(texts.get(configPath) ?? "")
  const docs = `${(textOf(config.docs_dir) ?? "docs").replace(/^\.\/|\/+$/g, "")}/`
  for (const path of paths) {
    if (!/\.(?:md|markdown)$/i.test(path)) continue
    if (!path.startsWith(docs)) {
      if (/^(?:includes|snippets|docs_includes)\//.test(path)) builder.addInclude(path)
      continue
    }
    const inDocs = path.slice(docs.length)
    if (inDocs.split("/").some((part) => part.startsWith("."))) continue
    const name = inDocs
      .split("/")
      .at(-1)!
      .replace(/\.(?:md|markdown)$/i, "")
    const { title = name.replaceAll(/[-_]+/g, " ") } = readHead(texts.get(path))
    const url = urlOf(inDocs)
    const page = builder.add({
      path: builder.freePath(url === "" ? "README" : url),
      source: path,
      title
    })
    builder.redirect(url, page)
    builder.alias(docs + url, page)
  }
  if (Array.isArray(config.nav)) placeNavigation(builder, docs, config.nav, source)
  else
    placeByFolders(
      builder,
      paths.filter((path) => builder.pathOf(path) !== undefined),
      docs
    )
  for (const [from, to] of redirectsOf(config)) {
    const path = builder.pathOf(docs + to.split("#")[0]!)
    if (path === undefined)
      builder.report("entry", from, "The redirect refers to no page; it is not imported.")
    else builder.redirect(urlOf(from), path)
  }
  if (paths.some((path) => path.startsWith("overrides/"))) {
    builder.report("entry", "overrides/", "Templates of the theme are not imported.")
  }
  builder.hideUnplaced("The navigation does not list the page: it is imported as a hidden page.")
  return builder.finish([docs])
}
