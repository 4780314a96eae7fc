/** Reads the tree of a Mintlify project: the navigation in `docs.json` or `mint.json`. */

import type { ReadSourceTree, SourceFiles } from "../../conversion/SourceTree.ts"
import { treeBounds } from "../../conversion/SourceTree.ts"
import { type OpenEntry, TreeBuilder } from "../TreeBuilder.ts"
import { headingOf, isValues, listOf, splitFrontMatter, textOf, type Values, valuesOf } from "../values.ts"

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

/** Adds the pages of a project. */
const addPages = (builder: TreeBuilder, { paths, texts }: SourceFiles, root: string): void => {
  for (const source of paths) {
    if (!source.startsWith(root) || !/\.mdx?$/i.test(source)) continue
    const inRoot = source.slice(root.length)
    if (inRoot.startsWith("snippets/")) builder.addInclude(source)
    if (/^(?:snippets|node_modules|\.)/.test(inRoot) || /^(?:README|CONTRIBUTING|LICENSE)\.md$/i.test(inRoot))
      continue
    const { values, body } = splitFrontMatter(texts.get(source) ?? "")
    const stem = inRoot.replace(/\.mdx?$/i, "")
    const url = stem.replace(/(?:^|\/)index$/, "")
    const name = stem.split("/").at(-1)!.replaceAll(/[-_]+/g, " ")
    const path = builder.add({
      path: builder.freePath(url === "" ? "README" : url),
      source,
      title: textOf(values.title) ?? headingOf(body) ?? name
    })
    builder.alias(root + stem, path)
    builder.alias(stem, path)
    builder.redirect(stem, path)
  }
}

/** Reads the tree of a Mintlify project. */
export const readMintlify: ReadSourceTree = (files) => {
  const builder = new TreeBuilder()
  const configs = files.paths.filter((path) => configName.test(path)).toSorted((a, b) => a.length - b.length)
  const configPath =
    configs.find((path) => parseConfig(files.texts.get(path)).navigation !== undefined) ?? "docs.json"
  const config = parseConfig(files.texts.get(configPath))
  const root = configPath.slice(0, configPath.lastIndexOf("/") + 1)
  addPages(builder, files, root)

  const sidebarTitles = new Map(
    files.paths.flatMap((source) => {
      const path = builder.pathOf(source)
      const title =
        path === undefined
          ? undefined
          : textOf(splitFrontMatter(files.texts.get(source) ?? "").values.sidebarTitle)
      return path === undefined || title === undefined ? [] : [[path, title] as const]
    })
  )

  const findPage = (name: string): string | undefined => {
    const stem = root + name.replace(/^\//, "").replace(/\.mdx?$/i, "")
    return [".mdx", ".md", "/index.mdx", "/index.md"]
      .map((end) => builder.pathOf(stem + end))
      .find((path) => path !== undefined)
  }
  const placePage = (parent: OpenEntry | undefined, name: string): void => {
    const path = findPage(name)
    if (path === undefined) {
      const isOperation = /^(?:\S+\s+)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|WEBHOOK)\s/i.test(name)
      builder.report(
        "entry",
        name,
        isOperation
          ? "The navigation lists an operation of an API without a page: register the specification, and add its pages."
          : "The navigation lists a page that does not exist."
      )
    } else builder.place(parent, { title: sidebarTitles.get(path) ?? builder.titleOf(path) ?? name, path })
  }
  const placeSection = (parent: OpenEntry | undefined, values: Values, depth: number): void => {
    const title = titleFields.map((field) => textOf(values[field])).find((text) => text !== undefined)
    const isSection = childFields.some((field) => values[field] !== undefined)
    const url = textOf(values.href) ?? textOf(values.url)
    if (values.openapi !== undefined || values.asyncapi !== undefined) {
      builder.report(
        "entry",
        title ?? "openapi",
        "The section contains the operations of an API: register the specification, and add its pages."
      )
    }
    if (title === undefined) {
      placeChildren(parent, values, depth)
      return
    }
    if (!isSection) {
      if (url !== undefined && /^https?:/.test(url)) builder.place(parent, { title, url })
      return
    }
    const rootPage = textOf(values.root)
    const page = rootPage === undefined ? undefined : findPage(rootPage)
    const folder = parent?.path === undefined ? "" : `${parent.path.replace(/\.md$/, "")}/`
    const entry =
      page !== undefined
        ? builder.place(parent, { title, path: page })
        : builder.place(
            parent,
            parent === undefined ? { title } : { title, path: builder.addSection(title, folder) }
          )
    if (entry !== undefined) placeChildren(entry, values, depth + 1)
  }
  const placeChildren = (parent: OpenEntry | undefined, values: Values, depth: number): void => {
    if (depth > treeBounds.depth) return
    for (const child of childFields.flatMap((field) => listOf(values[field]))) {
      if (typeof child === "string") placePage(parent, child)
      else if (isValues(child)) placeSection(parent, child, depth)
    }
  }
  const { navigation, anchors } = config
  placeChildren(
    undefined,
    Array.isArray(navigation) ? { groups: navigation as ReadonlyArray<unknown> } : valuesOf(navigation),
    0
  )
  // Anchors are on every page.
  placeChildren(
    undefined,
    { anchors: [...listOf(anchors), ...listOf(valuesOf(valuesOf(navigation).global).anchors)] },
    0
  )

  for (const redirect of listOf(config.redirects).map(valuesOf)) {
    const [from, to] = [textOf(redirect.source), textOf(redirect.destination)]
    const path = to === undefined ? undefined : findPage(to.split("#")[0]!)
    if (from === undefined || /[:*]/.test(from) || path === undefined) {
      builder.report(
        "entry",
        from ?? "redirects",
        "The redirect has a pattern, or leads outside of the pages; it is not imported."
      )
    } else builder.redirect(from, path)
  }
  builder.hideUnplaced("The navigation does not list the page: it is imported as a hidden page.")
  return builder.finish([root])
}
