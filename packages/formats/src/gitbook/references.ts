/** References of copied content: ids of the source are replaced by the ids of their copies in all of a document. */
import { rewriteLinks } from "@lectern/markdown/document"

/** The kinds of resources that content refers to. */
export const referenceKinds = [
  "page",
  "file",
  "space",
  "collection",
  "user",
  "reusableContent",
  "spec"
] as const

/** A kind of resource that content refers to. */
export type ReferenceKind = (typeof referenceKinds)[number]

/**
 * Returns the id of the copy of a resource, or `undefined` if it was not copied. `space` is the space that the reference names: by
 * default, the resource is in the space of the content.
 */
export type FindCopy = (kind: ReferenceKind, id: string, space?: string) => string | undefined

/** A value with the ids of copies, and the references to resources without a copy, as in `page p1`. */
export interface MappedReferences {
  readonly value: unknown
  /** The references that still have the ids of the source. */
  readonly unresolved: ReadonlyArray<string>
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a reference by its `kind`, with the kinds of their ids. */
const fieldsOfKind: Readonly<Record<string, Readonly<Record<string, ReferenceKind>>>> = {
  page: { page: "page", space: "space" },
  anchor: { page: "page", space: "space" },
  file: { file: "file", space: "space" },
  space: { space: "space" },
  collection: { collection: "collection" },
  user: { user: "user" },
  "reusable-content": { reusableContent: "reusableContent", space: "space" },
  openapi: { spec: "spec" }
}

const kindOfPath: Readonly<Record<string, ReferenceKind>> = {
  pages: "page",
  files: "file",
  collections: "collection",
  users: "user",
  "reusable-contents": "reusableContent"
}

const path =
  /^\/(?:spaces\/([\w.~-]+)(?=\/|#|$))?(?:\/?(pages|files|collections|users|reusable-contents)\/([\w.~-]+))?(#.*)?$/

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null

class Mapper {
  readonly #find: FindCopy
  readonly unresolved = new Set<string>()

  constructor(find: FindCopy) {
    this.#find = find
  }

  idOf(kind: ReferenceKind, id: string, space?: string): string {
    const copy = this.#find(kind, id, space)
    if (copy === undefined) this.unresolved.add(`${kind} ${id}`)
    return copy ?? id
  }

  /** Maps the path of a resource, as Markdown has it: `/pages/p1`, `/spaces/s1/pages/p1#a`. Other URLs are unchanged. */
  urlOf(url: string): string {
    const match = path.exec(url)
    if (match === null || (match[1] === undefined && match[2] === undefined)) return url
    const [, space, plural, id, hash = ""] = match
    const inSpace = space === undefined ? "" : `/spaces/${this.idOf("space", space)}`
    const target = plural === undefined ? "" : `/${plural}/${this.idOf(kindOfPath[plural]!, id!, space)}`
    return `${inSpace}${target}${hash}`
  }

  markdownOf(markdown: string): string {
    return rewriteLinks(markdown, ({ url }) => {
      const mapped = this.urlOf(url)
      return mapped === url ? undefined : mapped
    })
  }

  /** The lines of a block whose text is Markdown or HTML, which can contain links. */
  linesOf(lines: ReadonlyArray<Fields>): unknown {
    const textOf = (line: Fields): string =>
      (Array.isArray(line.nodes) ? line.nodes : [])
        .flatMap((text: unknown) => (isObject(text) && Array.isArray(text.leaves) ? text.leaves : []))
        .map((leaf: unknown) => (isObject(leaf) ? String(leaf.text) : ""))
        .join("")
    const before = lines.map(textOf)
    const after = this.markdownOf(before.join("\n")).split("\n")
    if (after.length !== lines.length) return lines
    return lines.map((line, index) =>
      after[index] === before[index]
        ? line
        : {
            ...line,
            nodes: [{ object: "text", leaves: [{ object: "leaf", text: after[index], marks: [] }] }]
          }
    )
  }

  cellOf(column: unknown, value: unknown): unknown {
    const kind = isObject(column) ? { files: "file", users: "user" }[String(column.type)] : undefined
    if (kind === undefined || !Array.isArray(value)) return this.map(value)
    // A value can also be a URL.
    return value.map((id: unknown) =>
      typeof id === "string" && /^[\w.~-]+$/.test(id)
        ? this.idOf(kind as ReferenceKind, id)
        : typeof id === "string"
          ? this.urlOf(id)
          : id
    )
  }

  /** The text of a link can be its URL. */
  labelsOf(labels: Fields): unknown {
    return Object.fromEntries(
      Object.entries(labels).map(([cell, label]) => [
        cell,
        typeof label === "string" ? this.urlOf(label) : label
      ])
    )
  }

  tableOf(data: Fields): unknown {
    const { records, definition } = data
    if (!isObject(records) || !isObject(definition)) return this.fieldsOf(data)
    const rows = Object.entries(records).map(([id, record]) => {
      if (!isObject(record) || !isObject(record.values)) return [id, record]
      const values = Object.entries(record.values).map(([column, value]) => [
        column,
        this.cellOf(definition[column], value)
      ])
      const labels = isObject(record.labels) ? { labels: this.labelsOf(record.labels) } : {}
      return [id, { ...record, values: Object.fromEntries(values), ...labels }]
    })
    return { ...data, records: Object.fromEntries(rows) }
  }

  fieldsOf(value: Fields): unknown {
    const kinds = typeof value.kind === "string" ? fieldsOfKind[value.kind] : undefined
    const space = kinds !== undefined && typeof value.space === "string" ? value.space : undefined
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const kind = kinds !== undefined && Object.hasOwn(kinds, name) ? kinds[name] : undefined
        // Paths are in the URLs of definitions, of links and of tags.
        if (typeof field === "string") {
          return [
            name,
            kind !== undefined
              ? this.idOf(kind, field, space)
              : name === "url" || name === "label"
                ? this.urlOf(field)
                : field
          ]
        }
        return [name, this.map(field)]
      })
    )
  }

  map(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.map(item))
    if (!isObject(value)) return value
    const { type, data } = value
    if (type === "table" && isObject(data))
      return { ...(this.fieldsOf(value) as Fields), data: this.tableOf(data) }
    if (type === "code") {
      return isObject(data) && data.markdown !== undefined && Array.isArray(value.nodes)
        ? { ...value, nodes: this.linesOf(value.nodes.filter(isObject)) }
        : value
    }
    if (value.object === "leaf" && isObject(data) && data.markdown === "html") {
      return { ...value, text: this.markdownOf(String(value.text)) }
    }
    return this.fieldsOf(value)
  }
}

/**
 * Replaces the ids of a document, or of a field such as the cover of a page, by the ids of copies: in references, in paths of
 * resources, in cells of tables, and in links of HTML. A reference without a copy is not changed.
 */
export const mapReferences = (value: unknown, find: FindCopy): MappedReferences => {
  const mapper = new Mapper(find)
  return { value: mapper.map(value), unresolved: [...mapper.unresolved] }
}

/** Replaces the ids in the links of Markdown by the ids of copies. */
export const mapMarkdownReferences = (
  markdown: string,
  find: FindCopy
): { readonly markdown: string; readonly unresolved: ReadonlyArray<string> } => {
  const mapper = new Mapper(find)
  return { markdown: mapper.markdownOf(markdown), unresolved: [...mapper.unresolved] }
}
