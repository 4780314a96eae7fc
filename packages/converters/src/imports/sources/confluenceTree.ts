/** Reads the tree of an export from Confluence: the list of its HTML export, or the objects of its XML export. */
import {
  folderBelow,
  NotReadable,
  type OpenEntry,
  type Readings,
  TreeBuilder,
  treeBounds,
  unescaped
} from "@lectern/formats/threads"
import { parseXml, type XmlElement, type XmlNode, XmlText } from "@rgrove/parse-xml"
import GithubSlugger from "github-slugger"
import type { Element } from "hast"
import { attribute, isElement } from "../html/nodes.ts"
import { parseHtml } from "../html/parse.ts"
import { pathOfFile, pathOfTitle } from "./confluenceStorage.ts"
import { findElement, lineOf } from "./elements.ts"

type Tree = Readings["sourceTree"]["out"]
type Files = Readings["sourceTree"]["in"]

/** A page with the pages below it. */
interface Node {
  readonly source: string
  readonly title: string
  readonly content?: Uint8Array
  readonly children: ReadonlyArray<Node>
}

const slugOf = (title: string): string => new GithubSlugger().slug(title).replaceAll(/[/\\]/g, "-") || "page"

/** Adds pages, and places them. The page above all others is the first page, and the others are at the root. */
const addNodes = (builder: TreeBuilder, roots: ReadonlyArray<Node>): void => {
  const visit = (
    nodes: ReadonlyArray<Node>,
    parent: OpenEntry | undefined,
    folder: string,
    depth: number
  ): void => {
    for (const { source, title, content, children } of nodes) {
      const isHome = parent === undefined && roots.length === 1 && nodes === roots
      const path = builder.add({
        path: builder.freePath(isHome ? "README" : folder + slugOf(title)),
        source,
        title,
        ...(content === undefined ? {} : { content })
      })
      builder.alias(pathOfTitle(title), path)
      const entry = builder.place(parent, { title, path })
      if (isHome) visit(children, undefined, "", depth)
      else visit(children, depth < treeBounds.depth ? entry : parent, folderBelow(path), depth + 1)
    }
  }
  visit(roots, undefined, "", 1)
}

const readIndex = ({ paths, texts }: Files): Tree => {
  const builder = new TreeBuilder()
  const known = new Set(paths)
  const placed = new Set<string>()
  const nodesOf = (list: Element, depth: number): ReadonlyArray<Node> =>
    list.children.flatMap((item): ReadonlyArray<Node> => {
      if (!isElement(item, "li") || depth > 100) return []
      const link = findElement(item, (one) => isElement(one, "a"))
      const lists = item.children.filter((child): child is Element => isElement(child, "ul"))
      const children = lists.flatMap((inner) => nodesOf(inner, depth + 1))
      const source = unescaped((link === undefined ? undefined : attribute(link, "href")) ?? "")
      if (!known.has(source) || placed.has(source)) return children
      placed.add(source)
      return [{ source, title: lineOf(link), children }]
    })
  const root = parseHtml(texts.get("index.html") ?? "")
  const outer: Array<Element> = []
  const findLists = (node: Element | typeof root): void => {
    for (const child of node.children) {
      if (isElement(child, "ul")) outer.push(child)
      else if (isElement(child)) findLists(child)
    }
  }
  findLists(root)
  addNodes(
    builder,
    outer.flatMap((list) => nodesOf(list, 0))
  )
  for (const source of paths) {
    if (placed.has(source) || source === "index.html" || !/^[^/]+\.html$/.test(source)) continue
    const title = source.replace(/(?:_\d+)?\.html$/, "").replaceAll(/[-_]+/g, " ")
    builder.add({ path: builder.freePath(slugOf(title)), source, title })
  }
  builder.report(
    "entry",
    "comments",
    "Comments, labels, versions and restrictions of pages are not imported."
  )
  builder.hideUnplaced("The index of the export does not list the page: it is imported as a hidden page.")
  return builder.finish()
}

const isXmlElement = (node: XmlNode): node is XmlElement => node.type === "element"

const elementsOf = (node: XmlElement): ReadonlyArray<XmlElement> => node.children.filter(isXmlElement)

const named = (node: XmlElement, name: string): XmlElement | undefined =>
  elementsOf(node).find((child) => child.attributes.name === name)

const xmlText = (node: XmlElement | undefined): string | undefined => {
  const value = node?.children.flatMap((child) => (child instanceof XmlText ? [child.text] : [])).join("")
  return value === undefined || value.trim() === "" ? undefined : value
}

/** Returns the id that an object has, or that a property refers to. */
const idIn = (node: XmlElement | undefined): string | undefined =>
  node === undefined ? undefined : xmlText(elementsOf(node).find(({ name }) => name === "id"))?.trim()

interface PageRecord {
  readonly id: string
  readonly title: string
  readonly parent: string | undefined
  readonly position: number
}

/** Adds the newest versions of attached files. */
const addFiles = (
  builder: TreeBuilder,
  objects: ReadonlyArray<XmlElement>,
  paths: ReadonlyArray<string>
): void => {
  const stored = Map.groupBy(
    paths.filter((path) => path.startsWith("attachments/")),
    (path) => path.slice(0, path.lastIndexOf("/"))
  )
  for (const object of objects) {
    const [id, name] = [idIn(object), xmlText(named(object, "title") ?? named(object, "fileName"))]
    const page = idIn(named(object, "containerContent") ?? named(object, "content"))
    const original = idIn(named(object, "originalVersion"))
    if (id === undefined || name === undefined || page === undefined || original !== undefined) continue
    const versions = stored.get(`attachments/${page}/${id}`) ?? []
    const newest = versions.toSorted((a, b) => Number(b.split("/").at(-1)) - Number(a.split("/").at(-1)))[0]
    if (newest === undefined) {
      builder.report("file", name, "The export does not contain the file.")
      continue
    }
    const path = `attachments/${page}/${name.replaceAll(/[/\\]/g, "-")}`
    builder.rename(newest, path)
    builder.alias(pathOfFile(page, name), path)
  }
}

const readEntities = ({ paths, texts }: Files): Tree => {
  const builder = new TreeBuilder()
  let objects: ReadonlyArray<XmlElement>
  try {
    const { root } = parseXml(texts.get("entities.xml") ?? "", { ignoreUndefinedEntities: true })
    objects = root === null ? [] : elementsOf(root)
  } catch {
    throw new NotReadable({ message: "points to an export whose entities.xml is not valid XML" })
  }
  const ofClass = (name: string) => objects.filter((object) => object.attributes.class === name)
  const bodies = new Map<string, string>()
  for (const object of ofClass("BodyContent")) {
    const [page, body] = [idIn(named(object, "content")), xmlText(named(object, "body"))]
    if (page !== undefined && body !== undefined) bodies.set(page, body)
  }
  const records = new Map<string, PageRecord>()
  for (const object of ofClass("Page")) {
    const [id, title] = [idIn(object), xmlText(named(object, "title"))]
    const isCurrent = (xmlText(named(object, "contentStatus")) ?? "current").trim() === "current"
    if (
      id === undefined ||
      title === undefined ||
      !isCurrent ||
      idIn(named(object, "originalVersion")) !== undefined
    )
      continue
    const position = Number(xmlText(named(object, "position")) ?? Number.POSITIVE_INFINITY)
    records.set(id, { id, title: title.trim(), parent: idIn(named(object, "parent")), position })
  }
  const children = Map.groupBy(records.values(), ({ parent }) =>
    parent !== undefined && records.has(parent) ? parent : ""
  )
  const encoder = new TextEncoder()
  const placed = new Set<string>()
  const nodesOf = (parent: string): ReadonlyArray<Node> =>
    (children.get(parent) ?? [])
      .toSorted((a, b) =>
        a.position === b.position ? a.title.localeCompare(b.title, "en") : a.position - b.position
      )
      .flatMap(({ id, title }): ReadonlyArray<Node> => {
        if (placed.has(id)) return []
        placed.add(id)
        const content = encoder.encode(bodies.get(id) ?? "")
        return [{ source: `confluence-id/${id}`, title, content, children: nodesOf(id) }]
      })
  addNodes(builder, nodesOf(""))
  for (const { id, title } of records.values()) {
    if (!placed.has(id)) builder.report("page", title, "The page is above itself; it is not imported.")
  }
  addFiles(builder, ofClass("Attachment"), paths)
  if (ofClass("BlogPost").length > 0) builder.report("entry", "blog", "Blog posts are not imported.")
  builder.report(
    "entry",
    "comments",
    "Comments, labels, versions and restrictions of pages are not imported."
  )
  return builder.finish()
}

/** Reads the tree of an export in HTML or XML. Throws `NotReadable` if it cannot be parsed. */
export const readConfluenceTree = (files: Files): Tree =>
  files.texts.has("entities.xml") ? readEntities(files) : readIndex(files)
