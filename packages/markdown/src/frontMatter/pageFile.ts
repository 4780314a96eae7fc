/**
 * The Markdown files of a repository: front matter, a heading with the title, and the body. Splitting a file loses no
 * character of its body, and writing a file with unchanged values reproduces it.
 */
import type { Text } from "mdast"
import { Document, isMap, isScalar, parseDocument } from "yaml"
import { stringify } from "../document/syntax.ts"
import {
  type Fields,
  frontMatterPattern,
  layoutParts,
  maximumFrontMatter,
  takeHeading,
  takeValidFields
} from "./frontMatter.ts"
import { findCollectionKey } from "./yamlKeys.ts"

/** The cover image in front matter, as a path or a URL. */
export interface WrittenCover {
  readonly path: string
  readonly darkPath: string | undefined
  readonly yPos: number
}

/** The fields of a page that front matter sets. */
export interface FileFields extends Omit<Fields, "title"> {
  /** The cover image. */
  readonly cover?: WrittenCover
}

/** A split file. */
export interface PageFile {
  /** The front matter with its delimiters and the empty lines after it; empty without front matter. */
  readonly head: string
  /** The YAML of the front matter. */
  readonly yaml: string | undefined
  /** The title in the front matter. */
  readonly frontMatterTitle: string | undefined
  /** The fields of the page. */
  readonly fields: FileFields
  /** The lines of the heading that is the title, with the empty line after it; empty if the file begins with none. */
  readonly headingLines: string
  /** The text of that heading. */
  readonly heading: string | undefined
  /** The body, without front matter and the heading of the title. */
  readonly body: string
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses YAML. Returns undefined if it is malformed or not a mapping. */
export const parseYamlMapping = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const document = parseDocument(text)
    const isValid = document.errors.length === 0 && findCollectionKey(document) === undefined
    const value: unknown = isValid ? document.toJS({ maxAliasCount: 10 }) : undefined
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined

const coverOf = (value: Readonly<Record<string, unknown>>): Pick<FileFields, "cover"> => {
  const path = textOf(value.cover)
  if (path === undefined) return {}
  const yPos = typeof value.coverY === "number" && Number.isFinite(value.coverY) ? value.coverY : 0
  return { cover: { path, darkPath: textOf(value.coverDark), yPos } }
}

/** Removes one empty line at the start, which separates a body from its heading. */
const emptyLine = /^[ \t]*\n/

/** Splits the text of a file, whose lines end with line feeds. A file whose front matter has a title has no heading. */
export const splitPageFile = (text: string): PageFile => {
  const found = frontMatterPattern.exec(text)
  const values =
    found === null || found[0].length > maximumFrontMatter ? undefined : parseYamlMapping(found[1] ?? "")
  // An empty block is front matter, too.
  const isFrontMatter = values !== undefined || (found !== null && (found[1] ?? "").trim() === "")
  const block = isFrontMatter ? found![0] : ""
  const rest = text.slice(block.length)
  const { title: declaredTitle, ...fields } = takeValidFields(values ?? {})
  const frontMatterTitle = declaredTitle ?? textOf(values?.title)
  const blankLines = /^(?:[ \t]*\n)*/.exec(rest)![0]
  const { title: heading, markdown } =
    frontMatterTitle === undefined
      ? takeHeading(rest.slice(blankLines.length))
      : { title: undefined, markdown: "" }
  const common = {
    yaml: isFrontMatter ? (found![1] ?? "") : undefined,
    frontMatterTitle,
    fields: { ...fields, ...coverOf(values ?? {}) }
  }
  if (heading === undefined) {
    const separator = isFrontMatter ? (emptyLine.exec(rest)?.[0] ?? "") : ""
    return {
      ...common,
      head: block + separator,
      headingLines: "",
      heading,
      body: rest.slice(separator.length)
    }
  }
  // `takeHeading` removes all empty lines after the heading; only the first separates the body.
  const afterHeading = headingEnd(rest.slice(blankLines.length), markdown)
  const lines = rest.slice(blankLines.length, blankLines.length + afterHeading)
  const separator = emptyLine.exec(rest.slice(blankLines.length + afterHeading))?.[0] ?? ""
  return {
    ...common,
    head: block + blankLines,
    headingLines: lines + separator,
    heading,
    body: rest.slice(blankLines.length + afterHeading + separator.length)
  }
}

/** Returns the length of the heading at the start of Markdown, with its line feed. */
const headingEnd = (text: string, after: string): number => {
  const heading = text.slice(0, text.length - after.length)
  return heading.length - (/\n((?:[ \t]*\n)*)$/.exec(heading)?.[1]?.length ?? 0)
}

/** Writes a title as the text of a heading. */
export const writeHeading = (title: string): string => {
  const text: Text = { type: "text", value: title.replaceAll(/\s+/g, " ") }
  return stringify({ type: "root", children: [{ type: "heading", depth: 1, children: [text] }] })
}

/** The values of a file to write. */
export interface WrittenPage {
  readonly title: string
  readonly fields: FileFields
  readonly body: string
}

/** Converts fields to the values of front matter. Undefined values are removed from it. */
const valuesOf = ({ layout, cover, ...fields }: FileFields): Record<string, unknown> => {
  const settings: Record<string, unknown> = {}
  const { width, coverSize, ...visibility } = layout ?? {}
  if (width !== undefined) settings.width = width
  for (const name of layoutParts) {
    const visible = visibility[name]
    const size = name === "cover" && coverSize !== undefined ? { size: coverSize } : {}
    if (visible !== undefined || "size" in size) {
      settings[name] = { ...(visible === undefined ? {} : { visible }), ...size }
    }
  }
  return {
    description: fields.description,
    slug: fields.slug,
    emoji: fields.emoji,
    icon: fields.icon,
    hidden: fields.hidden,
    if: fields.condition ?? undefined,
    noIndex: fields.noIndex,
    noRobotsIndex: fields.noRobotsIndex,
    cover: cover?.path,
    coverDark: cover?.darkPath,
    coverY: cover?.yPos,
    layout: Object.keys(settings).length === 0 ? undefined : settings
  }
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Writes front matter: the values that differ from the source change, and all others keep their formatting. */
const writeFrontMatter = (
  source: PageFile | undefined,
  fields: FileFields,
  frontMatterTitle: string | undefined
): string => {
  const before: Record<string, unknown> = {
    title: source?.frontMatterTitle,
    ...valuesOf(source?.fields ?? {})
  }
  const after: Record<string, unknown> = { title: frontMatterTitle, ...valuesOf(fields) }
  const changed = Object.keys(after).filter((name) => !isEqual(before[name], after[name]))
  if (source !== undefined && changed.length === 0) return source.head
  const yaml = replaceYamlValues(
    source?.yaml ?? "",
    Object.fromEntries(changed.map((name) => [name, after[name]]))
  )
  return yaml.trim() === "" ? "" : `---\n${yaml}---\n\n`
}

/** Sets values of a YAML mapping, or removes undefined values. The text of all others is preserved. */
const replaceYamlValues = (yaml: string, values: Readonly<Record<string, unknown>>): string => {
  const write = (name: string) =>
    values[name] === undefined ? "" : new Document({ [name]: values[name] }).toString({ lineWidth: 0 })
  const { contents } = parseDocument(yaml)
  const isBlock = isMap(contents) && contents.flow !== true
  if (!isBlock) return Object.keys(values).map(write).join("")
  const text = yaml.endsWith("\n") || yaml === "" ? yaml : `${yaml}\n`
  const starts = contents.items.map(({ key }) => (isScalar(key) ? (key.range?.[0] ?? 0) : 0))
  const parts = contents.items.map(({ key }, index) => {
    const part = text.slice(starts[index], starts[index + 1])
    const name = isScalar(key) ? String(key.value) : ""
    return Object.hasOwn(values, name) ? write(name) : part
  })
  const names = new Set(contents.items.map(({ key }) => (isScalar(key) ? String(key.value) : "")))
  const added = Object.keys(values).flatMap((name) => (names.has(name) ? [] : [write(name)]))
  return [text.slice(0, starts[0]), ...parts, ...added].join("")
}

/**
 * Writes a file with these values. Parts of the source whose values are unchanged are preserved verbatim. `sourceTitle` is
 * the title of the page when its source was imported, which can differ from the heading: the table of contents has
 * precedence.
 */
export const writePageFile = (
  { title, fields, body }: WrittenPage,
  source: PageFile | undefined,
  sourceTitle: string | undefined
): string => {
  const isTitleUnchanged = source !== undefined && title === sourceTitle
  const frontMatterTitle =
    source?.frontMatterTitle === undefined || isTitleUnchanged ? source?.frontMatterTitle : title
  const head = writeFrontMatter(source, fields, frontMatterTitle)
  if (isTitleUnchanged && body === source.body) return head + source.headingLines + body
  const isWithoutHeading = isTitleUnchanged && source.heading === undefined
  // Without a heading of its own, a body that begins with one would lose it at the next import.
  if (frontMatterTitle !== undefined || (isWithoutHeading && takeHeading(body).title === undefined)) {
    return head === "" || /\n[ \t]*\n$/.test(head) ? head + body : `${head}\n${body}`
  }
  const headingLines =
    isTitleUnchanged && source.heading !== undefined ? source.headingLines : writeHeading(title)
  return body === "" ? `${head}${headingLines.trimEnd()}\n` : `${head}${headingLines.trimEnd()}\n\n${body}`
}
