/** Markdown as it was found: what it says of its page taken off, and a mark in the place of each destination. */
import { Result } from "effect"
import { Yaml } from "effect/encoding"
import GithubSlugger from "github-slugger"
import type { Nodes } from "mdast"
import { toString as plainText } from "mdast-util-to-string"
import { unescaped } from "../../kernel/schema/Text.ts"
import { parse } from "../content/document/markdown.ts"
import { rewriteLinks } from "../content/document/rewriteLinks.ts"
import { takeFrontMatter, takeHeading } from "../content/edit/frontMatter.ts"
import { markOf, type Readings, type ReadPage, type Target } from "../conversion/Readings.ts"
import { decodeText } from "./decode.ts"
import { expandWikiLinks } from "./wikiLinks.ts"

const block = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/

interface Said {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly markdown: string
}

/**
 * What the front matter says, and the text without it. Other programs know other fields, or give them other types: of
 * what is not as it would be here, the title and the description are taken alone.
 */
const withoutFrontMatter = (text: string): Said => {
  const taken = takeFrontMatter(text)
  if (Result.isSuccess(taken)) return { ...taken.success.fields, markdown: taken.success.markdown }
  const found = block.exec(text)
  if (found === null) return { markdown: text }
  let fields: Readonly<Record<string, unknown>> = {}
  try {
    fields = (Yaml.parse(found[1] ?? "") ?? {}) as typeof fields
  } catch {
    // It is no YAML, but it is front matter: nobody wants to read it.
  }
  const words = (value: unknown) =>
    typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
  return {
    title: words(fields.title),
    description: words(fields.description),
    markdown: text.slice(found[0].length).replace(/^(?:[ \t]*\n)+/, "")
  }
}

/** Destinations that go elsewhere by themselves. */
const isElsewhere = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i

const isAddress = (base: string): boolean => /^https?:\/\//i.test(base)

/** The destination against the base: an address against an address, a path against the path of a file. */
export const resolveAgainst = (base: string, url: string): string | undefined => {
  if (isAddress(base)) return URL.canParse(url, base) ? new URL(url, base).href : undefined
  if (isElsewhere.test(url)) return url
  // Paths in an archive are resolved as addresses are; what leads out of it leads nowhere.
  const root = "https://archive.invalid/"
  const from = root + base.split("/").map(encodeURIComponent).join("/")
  if (!URL.canParse(url, from)) return undefined
  const { pathname, hash } = new URL(url, from)
  return unescaped(pathname.slice(1)) + hash
}

/** The anchors of the headings of a text: they are the same everywhere, by GitHub's rule. */
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

/** An image that is written as HTML, alone in its node. */
const imageTag = /<img\b[^<>]*>/gi
const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i")
    .exec(tag)
    ?.slice(1)
    .find((value) => value !== undefined)

/** The text with the images that are written as HTML in markdown's way, outside of code. */
const withImages = (markdown: string): string => {
  if (!/<img\b/i.test(markdown)) return markdown
  const edits: Array<readonly [from: number, to: number, text: string]> = []
  const visit = (node: Nodes): void => {
    if (node.type === "html" && node.position !== undefined) {
      const start = node.position.start.offset!
      for (const found of node.value.matchAll(imageTag)) {
        const source = attribute(found[0], "src")
        if (source === undefined || /[\s()<>\\]/.test(source)) continue
        // In a block of HTML markdown is not looked at.
        if (node.value.trim() !== found[0]) continue
        const words = (attribute(found[0], "alt") ?? "").replaceAll(/[[\]\\\n]/g, " ").trim()
        edits.push([start + found.index, start + found.index + found[0].length, `![${words}](${source})`])
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

/** Reads markdown. */
export const readMarkdown = ({ bytes, mark, base, isWiki }: Readings["markdown"]["in"]): ReadPage => {
  const said = withoutFrontMatter(decodeText(bytes))
  const heading = takeHeading(said.markdown)
  const isTitled = said.title === undefined && heading.title !== undefined
  const body = isTitled ? heading.markdown : said.markdown
  const targets: Array<Target> = []
  const text = withImages(isWiki === true ? expandWikiLinks(body) : body)
  const markdown = rewriteLinks(text, (node) => {
    if (node.url === "" || node.url.startsWith("#")) return undefined
    const url = resolveAgainst(base, node.url)
    if (url === undefined) return undefined
    const kind = node.type === "image" ? "image" : "link"
    const source = text.slice(node.position?.start.offset, node.position?.end.offset)
    // An address that stands for itself cannot have another put into its place.
    if (node.type === "link" && !source.startsWith("[")) return undefined
    if (kind === "link" && !isAddress(base) && isElsewhere.test(url) && isWiki !== true) return undefined
    if (kind === "link" && !isAddress(url) && isElsewhere.test(url)) return undefined
    targets.push({ kind, url, otherwise: isAddress(base) ? url : node.url })
    return markOf(mark, targets.length - 1)
  })
  return {
    title: said.title ?? heading.title,
    description: said.description,
    markdown,
    targets,
    anchors: anchorsOf(markdown)
  }
}
