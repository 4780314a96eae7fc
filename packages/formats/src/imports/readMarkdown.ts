/** Parses a markdown file of another program: extracts the metadata of the page and the targets of links. */

import { parse, rewriteLinks, wellFormed } from "@lectern/markdown/document"
import {
  frontMatterPattern,
  splitPageFile,
  takeFrontMatter,
  takeHeading
} from "@lectern/markdown/frontMatter"
import { unescaped } from "@lectern/model/schema"
import { Result } from "effect"
import { Yaml } from "effect/encoding"
import GithubSlugger from "github-slugger"
import type { Nodes } from "mdast"
import { toString as plainText } from "mdast-util-to-string"
import { markOf, type Readings, type ReadPage, type Target } from "../conversion/Readings.ts"
import { convertAlerts } from "../foreign/alerts.ts"
import { decodeText } from "./decode.ts"
import { expandWikiLinks } from "./wikiLinks.ts"

interface PageSource {
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The text without its front matter. */
  readonly markdown: string
}

/**
 * Splits a file into its front matter and its markdown. Other programs use other fields, or other types: front matter that
 * is invalid here contributes its title and description only.
 */
const splitFrontMatter = (text: string): PageSource => {
  const parsed = takeFrontMatter(text)
  if (Result.isSuccess(parsed)) return { ...parsed.success.fields, markdown: parsed.success.markdown }
  const found = frontMatterPattern.exec(text)
  if (found === null) return { markdown: text }
  let fields: Readonly<Record<string, unknown>> = {}
  try {
    fields = (Yaml.parse(found[1] ?? "") ?? {}) as typeof fields
  } catch {
    // A block that is not valid YAML is removed all the same: it is not meant for readers.
  }
  const textOf = (value: unknown) =>
    typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
  return {
    title: textOf(fields.title),
    description: textOf(fields.description),
    markdown: text.slice(found[0].length).replace(/^(?:[ \t]*\n)+/, "")
  }
}

/** Matches destinations that do not depend on a base: absolute and protocol-relative URLs. */
const absoluteUrl = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i

/** Matches the links of stored Markdown to pages, files and reusable contents. */
const storedLink = /^\/(?:pages|files|reusable-contents)\/[^/?#]+(?:#.*)?$/

const isHttpUrl = (base: string): boolean => /^https?:\/\//i.test(base)

/**
 * Resolves a destination against a base: a URL, or the path of a file in an archive. Returns undefined if the result is not a
 * valid URL.
 */
const resolveAgainst = (base: string, url: string): string | undefined => {
  if (isHttpUrl(base)) return URL.canParse(url, base) ? new URL(url, base).href : undefined
  return resolveInArchive(base, url)
}

/** Matches paths that are equal as URLs: without segments of dots, and without characters that URLs encode. */
const plainPath = /^(?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*$/

/** Resolves a destination against the path of a file in an archive. Returns undefined if the result is not a valid URL. */
export const resolveInArchive = (base: string, url: string): string | undefined => {
  if (absoluteUrl.test(url)) return url
  if (plainPath.test(url) && plainPath.test(base)) return base.slice(0, base.lastIndexOf("/") + 1) + url
  // Paths in an archive are resolved like URLs. They cannot leave the root of the archive.
  const root = "https://archive.invalid/"
  const from = root + base.split("/").map(encodeURIComponent).join("/")
  if (!URL.canParse(url, from)) return undefined
  const { pathname, hash } = new URL(url, from)
  return unescaped(pathname.slice(1)) + hash
}

/** Returns the anchors of the headings by GitHub's rule, which is also the rule of imported pages. */
const anchorsOf = (markdown: string): Record<string, string> => {
  const slugger = new GithubSlugger()
  const anchors: Record<string, string> = {}
  const visit = (node: Nodes): void => {
    if (node.type === "heading") {
      const anchor = slugger.slug(plainText(node))
      anchors[anchor] = anchor
    }
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  return anchors
}

const imageElements = new Set(["img", "source"])

const imageTag = /<img\b[^<>]*>/gi

const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i")
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)

/** Converts the images that are HTML tags to markdown, outside of code. */
const convertImageTags = (markdown: string): string => {
  if (!/<img\b/i.test(markdown)) return markdown
  const edits: Array<readonly [from: number, to: number, text: string]> = []
  const visit = (node: Nodes): void => {
    if (node.type === "html" && node.position !== undefined) {
      const start = node.position.start.offset!
      for (const found of node.value.matchAll(imageTag)) {
        const source = attributeOf(found[0], "src")
        if (source === undefined || /[\s()<>\\]/.test(source)) continue
        // Markdown within a block of HTML is not parsed.
        if (node.value.trim() !== found[0]) continue
        const alt = (attributeOf(found[0], "alt") ?? "").replaceAll(/[[\]\\\n]/g, " ").trim()
        edits.push([start + found.index, start + found.index + found[0].length, `![${alt}](${source})`])
      }
    }
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  let [text, from] = ["", 0]
  for (const [start, end, replacement] of edits) {
    text += markdown.slice(from, start) + replacement
    from = end
  }
  return text + markdown.slice(from)
}

/**
 * Parses the bytes of a markdown file. The title is that of the front matter, or the first heading, which is removed then.
 * Each resolvable destination becomes a placeholder (see `markOf`). Throws `NotReadable` if the bytes are binary.
 */
export const readMarkdown = (input: Readings["markdown"]["in"]): ReadPage => {
  if (input.part !== undefined) return readRepositoryFile(input)
  const { bytes, mark, base, isWiki } = input
  const source = splitFrontMatter(decodeText(bytes))
  const heading = takeHeading(source.markdown)
  const isTitled = source.title === undefined && heading.title !== undefined
  const body = isTitled ? heading.markdown : source.markdown
  const text = convertAlerts(convertImageTags(isWiki === true ? expandWikiLinks(body) : body))
  const { markdown, targets } = markTargets(text, { mark, base, isWiki })
  return {
    title: source.title ?? heading.title,
    description: source.description,
    markdown,
    targets,
    anchors: anchorsOf(markdown)
  }
}

/** Parses a file of a repository, of which every character is preserved. */
const readRepositoryFile = ({ bytes, mark, base, part }: Readings["markdown"]["in"]): ReadPage => {
  const text = wellFormed(decodeText(bytes))
  if (part === "body") {
    return {
      title: undefined,
      description: undefined,
      anchors: {},
      ...markTargets(text, { mark, base: undefined })
    }
  }
  const file = splitPageFile(text)
  const body = part === "include" ? file.headingLines + file.body : file.body
  const { markdown, targets } = markTargets(body, { mark, base })
  const { description, cover, ...fields } = file.fields
  const addCover = (path: string): number =>
    targets.push({ kind: "image", url: resolveAgainst(base, path) ?? path, otherwise: path }) - 1
  return {
    title: file.frontMatterTitle ?? (part === "include" ? undefined : file.heading),
    description,
    markdown,
    targets,
    anchors: {},
    fields: {
      ...fields,
      ...(cover === undefined
        ? {}
        : {
            cover: {
              target: addCover(cover.path),
              darkTarget: cover.darkPath === undefined ? undefined : addCover(cover.darkPath),
              yPos: cover.yPos
            }
          })
    }
  }
}

/**
 * Replaces each resolvable destination by a placeholder (see `markOf`). Without a base, destinations are the links of a stored
 * body: links to pages, files and reusable contents.
 */
export const markTargets = (
  text: string,
  {
    mark,
    base,
    isWiki,
    localPathOf
  }: {
    readonly mark: string
    readonly base: string | undefined
    readonly isWiki?: boolean | undefined
    /** Returns the path in the archive that an absolute URL refers to. */
    readonly localPathOf?: (url: string) => string | undefined
  }
): { readonly markdown: string; readonly targets: Array<Target> } => {
  const targets: Array<Target> = []
  const markdown = rewriteLinks(text, (node) => {
    if (node.url === "" || node.url.startsWith("#")) return undefined
    const isInclude = node.type === "tag" && node.name === "include"
    if (base === undefined) {
      if (!storedLink.test(node.url)) return undefined
      targets.push({ kind: isInclude ? "include" : "link", url: node.url, otherwise: node.url })
      return markOf(mark, targets.length - 1)
    }
    const url = localPathOf?.(node.url) ?? resolveAgainst(base, node.url)
    if (url === undefined) return undefined
    if (isInclude) {
      if (isHttpUrl(base)) return undefined
      targets.push({ kind: "include", url, otherwise: node.written })
      return markOf(mark, targets.length - 1)
    }
    const isImage = node.type === "image" || (node.type === "tag" && imageElements.has(node.name))
    const kind = isImage ? "image" : "link"
    const nodeText = text.slice(node.position?.start.offset, node.position?.end.offset)
    // The text of an autolink is its destination, which a placeholder would replace.
    if (node.type === "link" && !nodeText.startsWith("[")) return undefined
    if (kind === "link" && !isHttpUrl(base) && absoluteUrl.test(url) && isWiki !== true) return undefined
    if (kind === "link" && !isHttpUrl(url) && absoluteUrl.test(url)) return undefined
    const written = node.type === "tag" ? node.written : node.url
    targets.push({ kind, url, otherwise: isHttpUrl(base) ? url : written })
    return markOf(mark, targets.length - 1)
  })
  return { markdown, targets }
}
