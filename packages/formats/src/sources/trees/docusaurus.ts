/** Reads the tree of a Docusaurus project: its sidebars, categories and the front matter of its pages. */

import type { ReadSourceTree, SourceFiles } from "../../conversion/SourceTree.ts"
import { treeBounds } from "../../conversion/SourceTree.ts"
import { exportedLiteral, literalAt } from "../support/literals.ts"
import { resolveParts } from "../support/locations.ts"
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

/** The settings of the documents in the configuration of a project. */
interface Project {
  /** The folder of the configuration, with a final slash. */
  readonly root: string
  /** The folder of the pages, with a final slash. */
  readonly docs: string
  /** The path of the pages in URLs, without slashes at its ends. */
  readonly route: string
  readonly config: string
  readonly sidebarPath: string | undefined
}

/** A page with the values that determine its place. */
interface Doc {
  readonly source: string
  readonly path: string
  /** The id in sidebars. */
  readonly id: string
  /** The folder below the folder of pages, with its numbers, without a final slash. */
  readonly folder: string
  readonly label: string
  readonly position: number
}

const configName = /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/
const categoryName = /(?:^|\/)_category_\.(?:json|ya?ml)$/
const prefixPattern = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/
/** Names that begin with a date or a version have no prefix. */
const unprefixed = /^(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.]\d{2})?[-_.\s]|^\d+[-_.]\d+/

/** Splits the number that orders a name from the rest of the name. */
const splitPrefix = (name: string): { readonly name: string; readonly position: number | undefined } => {
  const found = unprefixed.test(name) ? null : prefixPattern.exec(name)
  return found === null ? { name, position: undefined } : { name: found[2]!, position: Number(found[1]) }
}

const withoutPrefixes = (path: string): string =>
  path
    .split("/")
    .map((part) => splitPrefix(part).name)
    .join("/")

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)
const join = (...parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("/")

const nameIn = (value: unknown): string => textOf(value) ?? ""
const positionIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

const findProject = ({ paths, texts }: SourceFiles): Project => {
  const configPath =
    paths.filter((path) => configName.test(path)).toSorted((a, b) => a.length - b.length)[0] ?? ""
  const root = folderOf(configPath)
  const config = texts.get(configPath) ?? ""
  const block = /\bdocs\s*:\s*(?=\{)/.exec(config)
  const settings = block === null ? {} : valuesOf(literalAt(config, block.index + block[0].length).value)
  // The path of the sidebars is usually a call: `require.resolve("./sidebars.js")`.
  const sidebarPath = /\bsidebarPath\s*:[^'"`\n]{0,60}['"`]([^'"`\n]{1,200})/.exec(config)?.[1]
  return {
    root,
    docs: `${resolveParts(root + (textOf(settings.path) ?? "docs"))}/`,
    route: resolveParts(textOf(settings.routeBasePath) ?? "docs"),
    config,
    sidebarPath: sidebarPath === undefined ? undefined : resolveParts(root + sidebarPath)
  }
}

/** Adds the pages of the folder of documents, and returns them by their ids. */
const addDocs = (
  builder: TreeBuilder,
  { paths, texts }: SourceFiles,
  { root, docs, route }: Project
): ReadonlyArray<Doc> => {
  const found: Array<Doc> = []
  for (const source of paths) {
    if (!(source.startsWith(root) || source.startsWith(docs)) || !/\.mdx?$/i.test(source)) continue
    if (source.split("/").some((part) => part.startsWith("_"))) builder.addInclude(source)
    if (!source.startsWith(docs) || source.split("/").some((part) => part.startsWith("_"))) continue
    const inDocs = source.slice(docs.length)
    const { values, title: ownTitle } = readHead(texts.get(source))
    if (values.draft === true) {
      builder.report("page", source, "The page is a draft, which is not imported.")
      continue
    }
    const folder = folderOf(inDocs).replace(/\/$/, "")
    const stem = inDocs.slice(folderOf(inDocs).length).replace(/\.mdx?$/i, "")
    const { name, position } = splitPrefix(stem)
    const above = withoutPrefixes(folder)
    const isIndex = /^(?:index|readme)$/i.test(name) || (above !== "" && name === above.split("/").at(-1))
    const slug = textOf(values.slug)
    const url =
      slug === undefined
        ? isIndex
          ? above
          : join(above, name)
        : slug.startsWith("/")
          ? resolveParts(slug)
          : resolveParts(join(above, slug))
    const title = ownTitle ?? name
    const path = builder.add({
      path: builder.freePath(url === "" ? "README" : url),
      source,
      title,
      ...(values.unlisted === true ? { isHidden: true } : {})
    })
    const id = join(above, textOf(values.id) ?? name)
    builder.redirect(join(route, url), path)
    builder.alias(join(route, url), path)
    // Links can be relative to URLs, in which names and folders have no numbers.
    builder.alias(docs + join(folder, name), path)
    builder.alias(docs + join(above, name), path)
    found.push({
      source,
      path,
      id,
      folder,
      label: textOf(values.sidebar_label) ?? title,
      position: positionIn(values.sidebar_position) ?? position ?? Number.POSITIVE_INFINITY
    })
  }
  return found
}

/** Builds entries of sidebars. */
class Sidebars {
  private readonly byId: ReadonlyMap<string, Doc>
  private readonly categories: ReadonlyMap<string, Values>
  private readonly builder: TreeBuilder
  private readonly docs: ReadonlyArray<Doc>

  constructor(builder: TreeBuilder, docs: ReadonlyArray<Doc>, categories: ReadonlyMap<string, Values>) {
    this.builder = builder
    this.docs = docs
    this.byId = new Map(docs.map((doc) => [doc.id, doc]))
    this.categories = categories
  }

  private placeDoc(parent: OpenEntry | undefined, id: string, label: string | undefined): void {
    const doc = this.byId.get(id) ?? this.byId.get(withoutPrefixes(id))
    if (doc === undefined) this.builder.report("entry", id, "The sidebar lists a page that does not exist.")
    else this.builder.place(parent, { title: label ?? doc.label, path: doc.path })
  }

  /** Places the pages and the folders of a folder, ordered by their positions, and then by their names. */
  placeFolder(parent: OpenEntry | undefined, folder: string, depth: number, skip?: Doc): void {
    if (depth > treeBounds.depth) return
    const prefix = folder === "" ? "" : `${folder}/`
    const folders = new Set(
      this.docs.flatMap((doc) =>
        doc.folder !== folder && `${doc.folder}/`.startsWith(prefix)
          ? [prefix + doc.folder.slice(prefix.length).split("/")[0]!]
          : []
      )
    )
    const children = [
      ...this.docs
        .filter((doc) => doc.folder === folder && doc !== skip)
        .map((doc) => ({ name: prefix + doc.source.split("/").at(-1)!, position: doc.position, doc })),
      ...[...folders].map((name) => {
        const own = splitPrefix(name.slice(prefix.length)).position
        const position =
          positionIn(valuesOf(this.categories.get(name)).position) ?? own ?? Number.POSITIVE_INFINITY
        return { name, position, doc: undefined }
      })
    ].toSorted((a, b) => (a.position === b.position ? (a.name < b.name ? -1 : 1) : a.position - b.position))
    for (const { name, doc } of children) {
      if (doc !== undefined) this.builder.place(parent, { title: doc.label, path: doc.path })
      else this.placeCategory(parent, name, depth)
    }
  }

  private placeCategory(parent: OpenEntry | undefined, folder: string, depth: number): void {
    const values = valuesOf(this.categories.get(folder))
    const name = splitPrefix(folder.split("/").at(-1)!).name
    const link = valuesOf(values.link)
    const index = this.docs.find(({ folder: own, path, id }) => {
      const isIndex = /(?:^|\/)(?:index|readme)$/i.test(id) || id.endsWith(`${name}/${name}`)
      return own === folder && path !== "" && isIndex
    })
    const linked = link.type === "doc" ? (this.byId.get(nameIn(link.id)) ?? index) : index
    const title = textOf(values.label) ?? (linked === undefined ? name : linked.label)
    const entry = this.builder.placeSection(parent, {
      title,
      page: linked?.path,
      description: textOf(link.description)
    })
    if (entry !== undefined) this.placeFolder(entry, folder, depth + 1, linked)
  }

  /** Places the items of a sidebar. */
  placeItems(parent: OpenEntry | undefined, items: unknown, depth: number): void {
    if (depth > treeBounds.depth) return
    if (isValues(items) && items.type === undefined) {
      // The short form of categories: their labels with their items.
      for (const [label, inner] of Object.entries(items)) {
        this.placeItems(this.builder.placeSection(parent, { title: label }), inner, depth + 1)
      }
      return
    }
    for (const item of Array.isArray(items) ? (items as ReadonlyArray<unknown>) : [items]) {
      if (typeof item === "string") this.placeDoc(parent, item, undefined)
      else if (isValues(item)) this.placeItem(parent, item, depth)
    }
  }

  private placeItem(parent: OpenEntry | undefined, item: Values, depth: number): void {
    const label = textOf(item.label)
    switch (item.type) {
      case undefined:
        this.placeItems(parent, item, depth + 1)
        return
      case "doc":
      case "ref":
        this.placeDoc(parent, nameIn(item.id), label)
        return
      case "link":
        this.builder.place(parent, { title: label ?? nameIn(item.href), url: nameIn(item.href) })
        return
      case "autogenerated": {
        const dirName = resolveParts(nameIn(item.dirName))
        const folder =
          this.docs.find(({ folder: own }) => withoutPrefixes(own) === dirName)?.folder ?? dirName
        this.placeFolder(parent, dirName === "" ? "" : folder, depth + 1)
        return
      }
      case "category": {
        const link = valuesOf(item.link)
        const doc = link.type === "doc" ? this.byId.get(nameIn(link.id)) : undefined
        const entry = this.builder.placeSection(parent, {
          title: label ?? "Untitled",
          page: doc?.path,
          description: textOf(link.description)
        })
        if (entry !== undefined) this.placeItems(entry, item.items, depth + 1)
        return
      }
      default:
        this.builder.report(
          "entry",
          label ?? nameIn(item.type),
          "The sidebar has an item that is not a page, a category or a link."
        )
    }
  }
}

const categoriesOf = ({ paths, texts }: SourceFiles, { docs }: Project): ReadonlyMap<string, Values> =>
  new Map(
    paths
      .filter((path) => path.startsWith(docs) && categoryName.test(path))
      .map((path) => [
        folderOf(path.slice(docs.length)).replace(/\/$/, ""),
        parseConfiguration(texts.get(path) ?? "")
      ])
  )

/** Returns the title of a sidebar: its label in the navigation bar, or its name. */
const sidebarTitle = (config: string, name: string): string => {
  for (const item of config.split(/(?=\{)/)) {
    if (!/\btype\s*:\s*['"]docSidebar['"]/.test(item) || !item.includes(name)) continue
    const label = /\blabel\s*:\s*['"`]([^'"`\n]{1,100})/.exec(item)?.[1]
    if (label !== undefined) return label
  }
  const words = name
    .replace(/_?sidebar$/i, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]+/g, " ")
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The parts of a project that are not documents. */
const otherParts: ReadonlyArray<readonly [folder: string, reason: string]> = [
  [
    "versioned_docs/",
    "Earlier versions of the documents are not imported: import each into a space of its own."
  ],
  ["i18n/", "Translations are not imported: import each into a space of its own."],
  ["blog/", "The blog is not imported."],
  ["src/pages/", "Pages that are components of React are not imported."]
]

/** Reads the tree of a Docusaurus project. */
export const readDocusaurus: ReadSourceTree = (files) => {
  const builder = new TreeBuilder()
  const project = findProject(files)
  const docs = addDocs(builder, files, project)
  const sidebars = new Sidebars(builder, docs, categoriesOf(files, project))
  const sidebarPath = [
    project.sidebarPath ?? "",
    ...["js", "ts", "cjs", "mjs", "json"].map((extension) => `${project.root}sidebars.${extension}`)
  ].find((path) => files.texts.has(path))
  const literal = sidebarPath === undefined ? undefined : exportedLiteral(files.texts.get(sidebarPath)!)
  const trees = Object.entries(valuesOf(literal?.value)).filter(
    ([, items]) => isValues(items) || listOf(items).length > 0
  )
  if (sidebarPath !== undefined && (trees.length === 0 || (literal?.computed ?? 0) > 0)) {
    builder.report(
      "entry",
      sidebarPath,
      trees.length === 0
        ? "The sidebars are computed, and code is not executed: the tree follows the folders."
        : `The sidebars contain ${literal!.computed} computed values, and code is not executed: these items are omitted.`
    )
  }
  if (trees.length === 0) sidebars.placeFolder(undefined, "", 0)
  for (const [name, items] of trees) {
    const group =
      trees.length === 1 ? undefined : builder.place(undefined, { title: sidebarTitle(project.config, name) })
    sidebars.placeItems(group, items, 0)
  }
  for (const [folder, reason] of otherParts) {
    if (files.paths.some((path) => path.startsWith(project.root + folder)))
      builder.report("entry", project.root + folder, reason)
  }
  builder.hideUnplaced("No sidebar lists the page: it is imported as a hidden page.")
  return builder.finish([project.root, `${project.root}static/`, project.docs])
}
