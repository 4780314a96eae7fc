/** Blocks of text: paragraphs, headings, code, and dividers. */
import * as Schema from "effect/Schema"
import { resource } from "../../schema/resource.ts"
import { text } from "../../schema/Text.ts"
import { base, emptyData, flag, isNotVoid, isVoid, otherAttributes, textAlignment } from "./base.ts"
import { fixedField, Image, Inline, Text } from "./Inline.ts"

const lines = Schema.Array(Inline)

/** A paragraph. */
export class Paragraph extends resource<Paragraph>()(
  Schema.Struct({
    ...base("paragraph"),
    isVoid: isNotVoid,
    nodes: lines,
    data: Schema.optionalKey(Schema.Struct({ align: textAlignment }))
  })
) {}

const depth = Schema.optionalKey(Schema.Literals([4, 5, 6]))

const anchor = text({ min: 1 }).check(
  Schema.isPattern(/^[^\s"]+$/, { message: "must be one word without quotes" })
)

const heading = <const Type extends string, Depth extends Schema.Top>(type: Type, depth: Depth) =>
  Schema.Struct({
    ...base(type),
    isVoid: isNotVoid,
    nodes: lines,
    data: Schema.Struct({
      id: Schema.optionalKey(Schema.String),
      align: textAlignment,
      depth,
      anchor: Schema.optionalKey(anchor)
    }),
    meta: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
  })

/** A heading of the first level. */
export class Heading1 extends resource<Heading1>()(heading("heading-1", fixedField())) {}
/** A heading of the second level. */
export class Heading2 extends resource<Heading2>()(heading("heading-2", fixedField())) {}
/** A heading of the third level or of a lower one, whose level is `data.depth`. */
export class Heading3 extends resource<Heading3>()(heading("heading-3", depth)) {}

/** A heading. Its id is derived from its text and unique in the document; an id in the input is ignored. `anchor` is an id that Markdown has. */
export type Heading = Heading1 | Heading2 | Heading3

/** A horizontal rule. */
export class Divider extends resource<Divider>()(
  Schema.Struct({ ...base("divider"), isVoid, data: emptyData })
) {}

/** A line of code: text without marks. */
class CodeLine extends resource<CodeLine>()(
  Schema.Struct({
    ...base("code-line"),
    isVoid: isNotVoid,
    data: Schema.Struct({ highlighted: flag }),
    nodes: Schema.Array(Text)
  })
) {}

/**
 * A code block. `syntax` is the first word after the opening fence; `meta` is the rest of its line. The other fields
 * are attributes of the tag `code` around it.
 */
export class Code extends resource<Code>()(
  Schema.Struct({
    ...base("code"),
    isVoid: isNotVoid,
    data: Schema.Struct({
      syntax: Schema.optionalKey(text()),
      meta: Schema.optionalKey(text()),
      markdown: Schema.optionalKey(Schema.Literals(["html", "tag", "verbatim"])),
      title: Schema.optionalKey(text()),
      overflow: Schema.optionalKey(Schema.Literals(["scroll", "wrap"])),
      lineNumbers: flag,
      expandable: flag,
      fullWidth: flag,
      attributes: otherAttributes
    }),
    nodes: Schema.Array(CodeLine)
  })
) {}

/** One or more images. `markdown` is `paragraph` if Markdown has them in a paragraph, instead of figures. */
export class Images extends resource<Images>()(
  Schema.Struct({
    ...base("images"),
    isVoid: Schema.Literal(false),
    data: Schema.Struct({
      align: Schema.optionalKey(Schema.Literals(["center", "left", "right"])),
      fullWidth: flag,
      withFrame: flag,
      markdown: Schema.optionalKey(Schema.Literal("paragraph"))
    }),
    nodes: Schema.Array(Image)
  })
) {}
