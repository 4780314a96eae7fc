/**
 * Extracts the fields of a page from Markdown: from its front matter (YAML between two lines of `---`) and its first
 * heading. Unknown keys of front matter are ignored, like unknown fields of a request.
 */

import { PageLayout, PageTitle, UpdatePage } from "@lectern/model/content"
import type { InvalidField } from "@lectern/model/errors"
import { text } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import { Yaml } from "effect/encoding"
import { toString as plainText } from "mdast-util-to-string"
import { makeInputDecoder } from "../conditions/inputDecoder.ts"
import { parse } from "../document/syntax.ts"

const { slug, emoji, icon, hidden, condition, noIndex, noRobotsIndex } = UpdatePage.fields

/** Whether a part of the layout is visible: `true`, or `{ visible: true }`. */
const part = Schema.optionalKey(
  Schema.Union([
    Schema.Boolean,
    Schema.Struct({
      visible: Schema.optionalKey(Schema.Boolean),
      size: Schema.optionalKey(PageLayout.fields.coverSize)
    })
  ])
)

/** The parts of a page that a layout shows or hides. */
export const layoutParts = [
  "cover",
  "title",
  "description",
  "tableOfContents",
  "outline",
  "pagination",
  "metadata"
] as const

const FrontMatter = Schema.Struct({
  title: Schema.optionalKey(PageTitle),
  description: Schema.optionalKey(text({ max: 2000 })),
  slug,
  emoji,
  icon,
  hidden,
  noIndex,
  noRobotsIndex,
  if: condition,
  layout: Schema.optionalKey(
    Schema.Struct({
      width: Schema.optionalKey(PageLayout.fields.width),
      ...(Object.fromEntries(layoutParts.map((name) => [name, part])) as Record<
        (typeof layoutParts)[number],
        typeof part
      >)
    })
  )
})

/** The fields of a page that front matter can set. */
export type Fields = Pick<
  UpdatePage,
  | "title"
  | "description"
  | "slug"
  | "emoji"
  | "icon"
  | "hidden"
  | "condition"
  | "noIndex"
  | "noRobotsIndex"
  | "layout"
>

/** Markdown without its front matter, and the fields that the front matter sets. */
export interface PageMarkdown {
  /** The fields that the front matter sets. */
  readonly fields: Fields
  /** The Markdown without the front matter. */
  readonly markdown: string
}

/** Matches front matter and the line that ends it; the first group is its YAML. */
export const frontMatterPattern = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/

const decode = makeInputDecoder(FrontMatter)

/** The maximum number of characters of front matter: longer text between two thematic breaks is content. */
export const maximumFrontMatter = 10_000

/** Converts decoded front matter to the fields that it sets. */
const toFields = ({ layout, if: condition, ...fields }: typeof FrontMatter.Type): Fields => {
  const { width, ...visibility } = layout ?? {}
  const settings: Array<readonly [name: string, value: unknown]> =
    width === undefined ? [] : [["width", width]]
  for (const [name, value] of Object.entries(visibility)) {
    const { visible, size } = typeof value === "boolean" ? { visible: value, size: undefined } : (value ?? {})
    if (visible !== undefined) settings.push([name, visible])
    if (name === "cover" && size !== undefined) settings.push(["coverSize", size])
  }
  return {
    ...fields,
    ...(condition === undefined ? {} : { condition }),
    ...(settings.length === 0 ? {} : { layout: Object.fromEntries(settings) })
  }
}

/** The maximum length of a condition, in UTF-16 code units. */
const maximumCondition = 1024

/** Returns the condition that a value of another program states. An invalid one hides the page from every visitor. */
export const toCondition = (value: unknown): string => {
  const text = typeof value === "string" ? value.toWellFormed().replaceAll("\0", " ") : String(value === true)
  return text.trim() === "" || text.length > maximumCondition ? "false" : text
}

/**
 * Returns the fields that front matter of another program sets. Values of other types are ignored, one by one, except for
 * conditions: an invalid condition hides its page from every visitor.
 */
export const takeValidFields = (value: Readonly<Record<string, unknown>>): Fields =>
  Object.assign(
    {},
    ...Object.keys(FrontMatter.fields).map((name): Fields => {
      if (!Object.hasOwn(value, name)) return {}
      const decoded = decode({ [name]: value[name] })
      if (Result.isSuccess(decoded)) return toFields(decoded.success as typeof FrontMatter.Type)
      return name === "if" ? { condition: toCondition(value[name]) } : {}
    })
  ) as Fields

const invalid = (message: string): Result.Result<never, ReadonlyArray<InvalidField>> =>
  Result.fail([{ path: "", message }])

/** Splits Markdown into its front matter and the rest. Fails with the invalid fields of the front matter. */
export const takeFrontMatter = (
  markdown: string
): Result.Result<PageMarkdown, ReadonlyArray<InvalidField>> => {
  const found = frontMatterPattern.exec(markdown)
  if (found === null || found[0].length > maximumFrontMatter) return Result.succeed({ fields: {}, markdown })
  let value: unknown
  try {
    value = Yaml.parse(found[1] ?? "") ?? {}
  } catch {
    return invalid("has front matter that is not valid YAML")
  }
  // Text between two thematic breaks is not front matter unless it is a YAML mapping.
  if (typeof value !== "object" || Array.isArray(value)) return Result.succeed({ fields: {}, markdown })
  const decoded = decode(value)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  return Result.succeed({
    fields: toFields(decoded.success as typeof FrontMatter.Type),
    markdown: markdown.slice(found[0].length).replace(/^(?:[ \t]*\r?\n)+/, "")
  })
}

/** The maximum number of characters of a heading that becomes a title, with its markers. */
const maximumHeading = 2000

const firstHeadingPattern = /^\s*(?:#[ \t]+[^\n]*|[^\s#>`~|+*-][^\n]*\r?\n=+[ \t]*)(?:\r?\n|$)/

/**
 * Splits Markdown into its title and the rest. The title is a heading of level 1 at the start, at most 256 characters.
 */
export const takeHeading = (
  markdown: string
): { readonly title: string | undefined; readonly markdown: string } => {
  const found = firstHeadingPattern.exec(markdown)
  const [first] = found === null || found[0].length > maximumHeading ? [] : parse(found[0]).children
  if (first?.type !== "heading" || first.depth !== 1) return { title: undefined, markdown }
  const title = Array.from(plainText(first).replaceAll(/\s+/g, " ").trim()).slice(0, 256).join("")
  if (title === "") return { title: undefined, markdown }
  return { title, markdown: markdown.slice(found![0].length).replace(/^(?:[ \t]*\r?\n)+/, "") }
}
