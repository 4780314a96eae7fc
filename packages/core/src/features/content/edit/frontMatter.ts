/**
 * What a markdown text says of its page: in its front matter (YAML between two lines of `---`), and by the heading
 * that it begins with. Keys that are not fields of a page are left out, as unknown fields of a body are.
 */
import { Result, Schema } from "effect"
import { Yaml } from "effect/encoding"
import { toString as plainText } from "mdast-util-to-string"
import type { InvalidField } from "../../../kernel/errors.ts"
import { fieldsOf } from "../../../kernel/schema/schemaIssues.ts"
import { text } from "../../../kernel/schema/Text.ts"
import { UpdatePage } from "../../../model/content/EditContent.ts"
import { PageTitle } from "../../../model/content/Page.ts"
import { parse } from "../document/markdown.ts"

const { slug, emoji, icon, hidden, noIndex, noRobotsIndex } = UpdatePage.fields

/** A part of the layout: as a flag, or with its visibility. */
const part = Schema.optionalKey(
  Schema.Union([Schema.Boolean, Schema.Struct({ visible: Schema.optionalKey(Schema.Boolean) })])
)

const parts = ["title", "description", "tableOfContents", "outline", "pagination", "metadata"] as const

const FrontMatter = Schema.Struct({
  title: Schema.optionalKey(PageTitle),
  description: Schema.optionalKey(text({ max: 2000 })),
  slug,
  emoji,
  icon,
  hidden,
  noIndex,
  noRobotsIndex,
  layout: Schema.optionalKey(
    Schema.Struct({
      ...(Object.fromEntries(parts.map((name) => [name, part])) as Record<
        (typeof parts)[number],
        typeof part
      >)
    })
  )
})

/** The fields that a text sets. */
export type Fields = Pick<
  UpdatePage,
  "title" | "description" | "slug" | "emoji" | "icon" | "hidden" | "noIndex" | "noRobotsIndex" | "layout"
>

/** A text without its front matter, and the fields that this sets. */
export interface Taken {
  readonly fields: Fields
  readonly markdown: string
}

const block = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/

const decode = Schema.decodeUnknownResult(FrontMatter, { errors: "all" })

const wrong = (message: string): Result.Result<never, ReadonlyArray<InvalidField>> =>
  Result.fail([{ path: "", message }])

/** Takes the front matter off a text. What it says wrongly is told by the names of its fields. */
export const takeFrontMatter = (markdown: string): Result.Result<Taken, ReadonlyArray<InvalidField>> => {
  const found = block.exec(markdown)
  if (found === null) return Result.succeed({ fields: {}, markdown })
  let value: unknown
  try {
    value = Yaml.parse(found[1] ?? "") ?? {}
  } catch {
    return wrong("has front matter that is not well-formed YAML")
  }
  // A text may begin with two lines and something between: only fields make it front matter.
  if (typeof value !== "object" || Array.isArray(value)) return Result.succeed({ fields: {}, markdown })
  const decoded = decode(value)
  if (Result.isFailure(decoded)) return Result.fail(fieldsOf(decoded.failure.issue))
  const { layout, ...fields } = decoded.success
  const shown = Object.entries(layout ?? {}).flatMap(([name, part]) => {
    const visible = typeof part === "boolean" ? part : part?.visible
    return visible === undefined ? [] : [[name, visible] as const]
  })
  return Result.succeed({
    fields: { ...fields, ...(shown.length === 0 ? {} : { layout: Object.fromEntries(shown) }) },
    markdown: markdown.slice(found[0].length).replace(/^(?:[ \t]*\r?\n)+/, "")
  })
}

const heading = /^\s*(?:#[ \t]+[^\n]*|[^\s#>`~|+*-][^\n]*\r?\n=+[ \t]*)(?:\r?\n|$)/

/** Takes the heading of the first level off a text that begins with one: it is the title of its page. */
export const takeHeading = (
  markdown: string
): { readonly title: string | undefined; readonly markdown: string } => {
  const found = heading.exec(markdown)
  const [first] = found === null ? [] : parse(found[0]).children
  if (first?.type !== "heading" || first.depth !== 1) return { title: undefined, markdown }
  const title = Array.from(plainText(first).replaceAll(/\s+/g, " ").trim()).slice(0, 256).join("")
  if (title === "") return { title: undefined, markdown }
  return { title, markdown: markdown.slice(found![0].length).replace(/^(?:[ \t]*\r?\n)+/, "") }
}
