/** Reads the tree of a Mintlify project: the navigation in `docs.json` or `mint.json`. */

import { unescaped } from "@lectern/model/schema"
import type { ReadSourceTree, SourceFiles } from "../../conversion/SourceTree.ts"
import { treeBounds } from "../../conversion/SourceTree.ts"
import { type OpenEntry, TreeBuilder } from "../support/TreeBuilder.ts"
import { isValues, listOf, readHead, textOf, type Values, valuesOf } from "../support/values.ts"

const configName = /(?:^|\/)(?:mint|docs)\.json$/

/** The fields of a section with its title, and with its children. */
const titleFields = ["group", "tab", "anchor", "dropdown", "version", "language", "product", "item", "name"]
const childFields = [
  "languages",
  "versions",
  "products",
  "tabs",
  "anchors",
  "dropdowns",
  "menu",
  "groups",
  "pages"
]

const parseConfig = (text: string | undefined): Values => {
  try {
    return valuesOf(JSON.parse(text ?? ""))
  } catch {
    return {}
  }
}

/** The maximum number of files that a navigation refers to. */
const maximumReferences = 500

/** Replaces the references of a configuration, as in `{ "$ref": "./es.json" }`, by the content of the files. */
const withReferences = (value: unknown, folder: string, texts: SourceFiles["texts"]): unknown => {
  let references = 0
  const resolve = (part: unknown, base: string, depth: number): unknown => {
    if (depth > 3 * treeBounds.depth) return part
    if (Array.isArray(part)) return part.map((item) => resolve(item, base, depth + 1))
    if (!isValues(part)) return part
    const reference = textOf(part.$ref)
    if (reference === undefined)
      return Object.fromEntries(
        Object.entries(part).map(([key, item]) => [key, resolve(item, base, depth + 1)])
      )
    const path = URL.parse(reference, `file:///${base}`)?.pathname.slice(1) ?? ""
    const text = ++references > maximumReferences ? undefined : texts.get(unescaped(path))
    const inner = resolve(parseConfig(text), path.slice(0, path.lastIndexOf("/") + 1), depth + 1)
    return {
      ...valuesOf(inner),
      ...Object.fromEntries(Object.entries(part).filter(([key]) => key !== "$ref"))
    }
  }
  return resolve(value, folder, 0)
}

/** Adds the pages of a project, and returns the titles that they declare for the navigation, by their paths. */
const addPages = (
  builder: TreeBuilder,
  { paths, texts }: SourceFiles,
  root: string
): ReadonlyMap<string, string> => {
  const navigationTitles = new Map<string, string>()
  for (const source of paths) {
    if (!source.startsWith(root) || !/\.mdx?$/i.test(source)) continue
    const inRoot = source.slice(root.length)
    if (inRoot.startsWith("snippets/")) builder.addInclude(source)
    if (/^(?:snippets|node_modules|\.)/.test(inRoot) || /^(?:README|CONTRIBUTING|LICENSE)\.md$/i.test(inRoot))
      continue
    const stem = inRoot.replace(/\.mdx?$/i, "")
    const url = stem.replace(/(?:^|\/)index$/, "")
    const name = stem.split("/").at(-1)!.replaceAll(/[-_]+/g, " ")
    const { values, title = name } = readHead(texts.get(source))
    const path = builder.add({ path: builder.freePath(url === "" ? "README" : url), source, title })
    const navigationTitle = textOf(values.sidebarTitle)
    if (navigationTitle !== undefined) navigationTitles.set(path, navigationTitle)
    builder.alias(root + stem, path)
    builder.alias(stem, path)
    builder.redirect(stem, path)
  }
  return navigationTitles
}

/** The pages and the sections of a navigation. */
class Navigation {
  private readonly builder: TreeBuilder
  private readonly root: string
  /** The titles of pages in the navigation, by their paths. */
  private readonly titles: ReadonlyMap<string, string>

  constructor(builder: TreeBuilder, root: string, titles: ReadonlyMap<string, string>) {
    this.builder = builder
    this.root = root
    this.titles = titles
  }

  /** Returns the path of the page that a navigation or a redirect names. */
  findPage(name: string): string | undefined {
    const stem = this.root + name.replace(/^\//, "").replace(/\.mdx?$/i, "")
    return [".mdx", ".md", "/index.mdx", "/index.md"]
      .map((end) => this.builder.pathOf(stem + end))
      .find((path) => path !== undefined)
  }

  private placePage(parent: OpenEntry | undefined, name: string): void {
    const path = this.findPage(name)
    if (path !== undefined) {
      const title = this.titles.get(path) ?? this.builder.titleOf(path) ?? name
      this.builder.place(parent, { title, path })
      return
    }
    const isOperation = /^(?:\S+\s+)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|WEBHOOK)\s/i.test(name)
    this.builder.report(
      "entry",
      name,
      isOperation
        ? "The navigation lists an operation of an API without a page: register the specification, and add its pages."
        : "The navigation lists a page that does not exist."
    )
  }

  private placeSection(parent: OpenEntry | undefined, values: Values, depth: number): void {
    const title = titleFields.map((field) => textOf(values[field])).find((text) => text !== undefined)
    const isSection = childFields.some((field) => values[field] !== undefined)
    const url = textOf(values.href) ?? textOf(values.url)
    if (values.openapi !== undefined || values.asyncapi !== undefined) {
      this.builder.report(
        "entry",
        title ?? "openapi",
        "The section contains the operations of an API: register the specification, and add its pages."
      )
    }
    if (title === undefined) this.placeChildren(parent, values, depth)
    else if (isSection) {
      const rootPage = textOf(values.root)
      const page = rootPage === undefined ? undefined : this.findPage(rootPage)
      const entry = this.builder.placeSection(parent, { title, page })
      if (entry !== undefined) this.placeChildren(entry, values, depth + 1)
    } else if (url !== undefined && /^https?:/.test(url)) this.builder.place(parent, { title, url })
  }

  /** Places the pages and the sections that values have. */
  placeChildren(parent: OpenEntry | undefined, values: Values, depth: number): void {
    if (depth > treeBounds.depth) return
    for (const child of childFields.flatMap((field) => listOf(values[field]))) {
      if (typeof child === "string") this.placePage(parent, child)
      else if (isValues(child)) this.placeSection(parent, child, depth)
    }
  }
}

/** Reads the tree of a Mintlify project. */
export const readMintlify: ReadSourceTree = (files) => {
  const builder = new TreeBuilder()
  const configs = files.paths.filter((path) => configName.test(path)).toSorted((a, b) => a.length - b.length)
  const configPath =
    configs.find((path) => parseConfig(files.texts.get(path)).navigation !== undefined) ?? "docs.json"
  const root = configPath.slice(0, configPath.lastIndexOf("/") + 1)
  const config = valuesOf(withReferences(parseConfig(files.texts.get(configPath)), root, files.texts))
  const navigation = new Navigation(builder, root, addPages(builder, files, root))
  const values: Values = Array.isArray(config.navigation)
    ? { groups: config.navigation as ReadonlyArray<unknown> }
    : valuesOf(config.navigation)
  navigation.placeChildren(undefined, values, 0)
  // Anchors are on every page.
  const anchors = [...listOf(config.anchors), ...listOf(valuesOf(values.global).anchors)]
  navigation.placeChildren(undefined, { anchors }, 0)
  for (const redirect of listOf(config.redirects).map(valuesOf)) {
    const [from, to] = [textOf(redirect.source), textOf(redirect.destination)]
    const path = to === undefined ? undefined : navigation.findPage(to.split("#")[0]!)
    if (from === undefined || /[:*]/.test(from) || path === undefined) {
      const reason = "The redirect has a pattern, or refers to no page; it is not imported."
      builder.report("entry", from ?? "redirects", reason)
    } else builder.redirect(from, path)
  }
  builder.hideUnplaced("The navigation does not list the page: it is imported as a hidden page.")
  return builder.finish([root])
}
