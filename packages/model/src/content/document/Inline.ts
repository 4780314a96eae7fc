/**
 * The inline nodes of a document: text with marks, links, images, formulas, emojis, icons, expressions, mentions,
 * buttons and annotations.
 *
 * The public contract defines their shapes. Markdown without a field in the contract is stored in `data` of a leaf or
 * of a node. Fields of the contract without a form in Markdown are invalid, unless they have their default value:
 * otherwise, an edit would lose them silently.
 */

import * as Schema from "effect/Schema"
import { resource } from "../../schema/resource.ts"
import { text } from "../../schema/Text.ts"

/** Declares an optional field without a form in Markdown, which can only have its default value. */
export const fixedField = (defaultValue?: unknown) =>
  Schema.optionalKey(
    Schema.Unknown.check(
      Schema.makeFilter((value) => (value === defaultValue ? undefined : "has no form in Markdown: omit it"))
    )
  )

/** The key of a node in its document. Keys in requests are ignored, because they are derived from the position. */
const key: Schema.optionalKey<Schema.String> = Schema.optionalKey(Schema.String)
const identifier = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9._~-]{1,64}$/u, { message: "must be an id" })
)

/** `space` is the space of the target. By default, it is the space of the document. */
const space = Schema.optionalKey(identifier)

class PageRef extends resource<PageRef>()(
  Schema.Struct({ kind: Schema.Literal("page"), page: identifier, space })
) {}
class FileRef extends resource<FileRef>()(
  Schema.Struct({ kind: Schema.Literal("file"), file: identifier, space: fixedField() })
) {}
class AnchorRef extends resource<AnchorRef>()(
  Schema.Struct({
    kind: Schema.Literal("anchor"),
    anchor: text({ min: 1 }),
    page: Schema.optionalKey(identifier),
    space
  }).check(
    Schema.makeFilter(({ page, space }) =>
      page === undefined && space !== undefined
        ? { path: ["page"], issue: "is required for an anchor in another space" }
        : undefined
    )
  )
) {}
class UrlRef extends resource<UrlRef>()(Schema.Struct({ kind: Schema.Literal("url"), url: text() })) {}
class UserRef extends resource<UserRef>()(
  Schema.Struct({ kind: Schema.Literal("user"), user: identifier })
) {}
class CollectionRef extends resource<CollectionRef>()(
  Schema.Struct({ kind: Schema.Literal("collection"), collection: identifier })
) {}
class SpaceRef extends resource<SpaceRef>()(
  Schema.Struct({ kind: Schema.Literal("space"), space: identifier })
) {}

/** The target of a link: a page, a file, an anchor, a user, a collection or a space, or a URL. */
export type ContentRef = PageRef | FileRef | AnchorRef | UrlRef | UserRef | CollectionRef | SpaceRef
/** The target of a link. */
export const ContentRef: Schema.Codec<ContentRef> = Schema.Union([
  PageRef,
  FileRef,
  AnchorRef,
  UrlRef,
  UserRef,
  CollectionRef,
  SpaceRef
])

/** The target of an image. */
export type ImageRef = FileRef | UrlRef
/** The target of an image. */
export const ImageRef: Schema.Codec<ImageRef> = Schema.Union([FileRef, UrlRef])

/** A reference to a reusable content of the space. */
export class ReusableContentRef extends resource<ReusableContentRef>()(
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    reusableContent: text().check(
      Schema.isPattern(/^(?:[A-Za-z0-9._~-]{1,64}|[^\n]*\/[^\n]*)$/u, { message: "must be an id or a path" })
    ),
    space: fixedField()
  })
) {}

/** The colors of text and of its background. */
export const colorNames = [
  "default",
  "green",
  "blue",
  "red",
  "orange",
  "yellow",
  "purple",
  "$primary",
  "$info",
  "$success",
  "$warning",
  "$danger"
] as const

class PlainMark extends resource<PlainMark>()(
  Schema.Struct({
    object: Schema.Literal("mark"),
    type: Schema.Literals(["bold", "italic", "strikethrough", "code", "keyboard", "superscript", "subscript"])
  })
) {}

/** The colors of a run of text. */
export class ColorMark extends resource<ColorMark>()(
  Schema.Struct({
    object: Schema.Literal("mark"),
    type: Schema.Literal("color"),
    data: Schema.Struct({ text: Schema.Literals(colorNames), background: Schema.Literals(colorNames) })
  })
) {}

/** The formatting of a run of text. Marks are ordered from the outermost to the innermost. */
export type Mark = PlainMark | ColorMark
/** The formatting of a run of text. */
export const Mark: Schema.Codec<Mark> = Schema.Union([PlainMark, ColorMark])

/**
 * A run of text with the same marks. `data.markdown` marks text with a special form in Markdown: a line `break`, inline
 * `html`, or a reference to a `footnote`, as in `[^1]`.
 */
export class Leaf extends resource<Leaf>()(
  Schema.Struct({
    object: Schema.Literal("leaf"),
    text: text(),
    marks: Schema.Array(Mark),
    data: Schema.optionalKey(
      Schema.Struct({ markdown: Schema.optionalKey(Schema.Literals(["break", "html", "footnote"])) })
    )
  })
) {}

/** Text, as a list of runs. */
export class Text extends resource<Text>()(
  Schema.Struct({ object: Schema.Literal("text"), key, leaves: Schema.Array(Leaf) })
) {}

/** The reference to the definition of a link or an image, by its label. */
export class Reference extends resource<Reference>()(
  Schema.Struct({
    label: text({ min: 1 }),
    kind: Schema.Literals(["shortcut", "collapsed", "full"])
  })
) {}

/** The length of a side of an image: in pixels, or with its unit. */
type Length = number | { readonly unit: string; readonly value: number }
const lengthNumber = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 999_999 }))
const Length: Schema.Codec<Length> = Schema.Union([
  lengthNumber,
  Schema.Struct({
    unit: Schema.String.check(
      Schema.isPattern(/^(?:%|[a-z]{1,4})$/, { message: "must be a unit as in 50%" })
    ),
    value: lengthNumber
  })
])

const imageFields = {
  ref: ImageRef,
  refDark: Schema.optionalKey(ImageRef),
  width: Schema.optionalKey(Length),
  height: Schema.optionalKey(Length),
  alt: Schema.optionalKey(text()),
  reference: Schema.optionalKey(Reference)
}

/** An inline image. Its caption is the title in Markdown. `marks` are the marks that surround it. */
export class InlineImage extends resource<InlineImage>()(
  Schema.Struct({
    object: Schema.Literal("inline"),
    type: Schema.Literal("inline-image"),
    key,
    isVoid: Schema.Literal(true),
    data: Schema.Struct({
      ...imageFields,
      caption: Schema.optionalKey(text()),
      size: Schema.optionalKey(Schema.Literals(["original", "line"])),
      marks: Schema.optionalKey(Schema.Array(Mark))
    })
  })
) {}

const atom = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({
    object: Schema.Literal("inline"),
    type: Schema.Literal(type),
    key,
    isVoid: Schema.Literal(true),
    data: Schema.Struct({ ...fields, marks: Schema.optionalKey(Schema.Array(Mark)) })
  })

/** A formula in TeX, in a line of text. */
export class InlineMath extends resource<InlineMath>()(atom("inline-math", { formula: text() })) {}

/** An emoji. `code` has its code points in hexadecimal, separated by `-`. */
export class InlineEmoji extends resource<InlineEmoji>()(
  atom("emoji", {
    code: Schema.String.check(
      Schema.isPattern(/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,15}$/, {
        message: "must be code points in hexadecimal, such as 1f600"
      })
    )
  })
) {}

const iconName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    message: "must be the name of an icon, such as arrow-up"
  }),
  Schema.isMaxLength(50)
)

/** An icon of Font Awesome. */
export class InlineIcon extends resource<InlineIcon>()(atom("icon", { icon: iconName })) {}

/** The value of an expression, such as a variable of the space. */
export class InlineExpression extends resource<InlineExpression>()(
  atom("expression", {
    expression: text({ min: 1 }).check(Schema.isPattern(/^[^\n]*$/, { message: "must be one line" }))
  })
) {}

/** A node in a link: any but another link, a mention or a button. */
type LinkContent = Text | InlineImage | InlineMath | InlineEmoji | InlineIcon | InlineExpression
const LinkContent: Schema.Codec<LinkContent> = Schema.Union([
  Text,
  InlineImage,
  InlineMath,
  InlineEmoji,
  InlineIcon,
  InlineExpression
])

/** A link. `marks` are the marks that surround it; its text repeats them, followed by its own marks. */
export class Link extends resource<Link>()(
  Schema.Struct({
    object: Schema.Literal("inline"),
    type: Schema.Literal("link"),
    key,
    isVoid: Schema.optionalKey(Schema.Literal(false)),
    nodes: Schema.Array(LinkContent),
    data: Schema.Struct({
      ref: ContentRef,
      title: Schema.optionalKey(text()),
      reference: Schema.optionalKey(Reference),
      marks: Schema.optionalKey(Schema.Array(Mark))
    })
  })
) {}

/**
 * A mention of a page, a user or other content. `text` is the text of the link in Markdown. By default, it is the last
 * segment of the target.
 */
export class InlineMention extends resource<InlineMention>()(
  atom("mention", { ref: ContentRef, text: Schema.optionalKey(text()) })
) {}

/**
 * A button. With an `action`, it opens the search or the assistant of the site, with `query` as the input, and its
 * `ref` is the URL `""`, as is that of a disabled button.
 */
export class InlineButton extends resource<InlineButton>()(
  atom("button", {
    label: text(),
    kind: Schema.Literals(["primary", "secondary"]),
    icon: Schema.optionalKey(iconName),
    ref: ContentRef,
    action: Schema.optionalKey(Schema.Literals(["search", "ask"])),
    query: Schema.optionalKey(text())
  })
) {}

/** A node without nodes of its own. */
export type InlineAtom =
  | InlineMath
  | InlineEmoji
  | InlineIcon
  | InlineExpression
  | InlineMention
  | InlineButton

const simpleInlines = [
  Text,
  Link,
  InlineImage,
  InlineMath,
  InlineEmoji,
  InlineIcon,
  InlineExpression,
  InlineMention,
  InlineButton
] as const
/** An inline node that is permitted in captions and annotations. */
export type SimpleInline = Text | Link | InlineImage | InlineAtom
const SimpleInline: Schema.Codec<SimpleInline> = Schema.Union(simpleInlines)

class SimpleParagraph extends resource<SimpleParagraph>()(
  Schema.Struct({
    object: Schema.Literal("block"),
    type: Schema.Literal("paragraph"),
    key,
    isVoid: Schema.optionalKey(Schema.Literal(false)),
    nodes: Schema.Array(SimpleInline)
  })
) {}

/** The paragraphs of an annotation. `fragment` is the label of its footnote in Markdown. */
export class AnnotationBody extends resource<AnnotationBody>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key,
    fragment: Schema.optionalKey(
      text({ min: 1 }).check(
        Schema.isPattern(/^[^\s[\]]+$/, { message: "must be one word without brackets" })
      )
    ),
    type: Schema.Literal("annotation-body"),
    nodes: Schema.Array(SimpleParagraph)
  })
) {}

/** Text with a note, which Markdown represents as a footnote. `marks` of the text include those around it. */
export class Annotation extends resource<Annotation>()(
  Schema.Struct({
    object: Schema.Literal("inline"),
    type: Schema.Literal("annotation"),
    key,
    isVoid: Schema.Literal(false),
    data: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    nodes: Schema.Array(Text),
    fragments: Schema.Array(AnnotationBody).check(
      Schema.makeFilter((bodies) => (bodies.length === 1 ? undefined : "must be one body"))
    )
  })
) {}

/** An inline node. */
export type Inline = SimpleInline | Annotation
/** An inline node. */
export const Inline: Schema.Codec<Inline> = Schema.Union([...simpleInlines, Annotation])

/** The caption of an image. */
export class Caption extends resource<Caption>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key,
    fragment: Schema.Literal("caption"),
    type: Schema.optionalKey(Schema.String),
    nodes: Schema.Array(SimpleParagraph)
  })
) {}

/** An image as a block. */
export class Image extends resource<Image>()(
  Schema.Struct({
    object: Schema.Literal("block"),
    type: Schema.Literal("image"),
    key,
    isVoid: Schema.Literal(true),
    data: Schema.Struct(imageFields),
    fragments: Schema.Array(Caption).check(
      Schema.makeFilter((captions) => (captions.length > 1 ? "must be at most one caption" : undefined))
    )
  })
) {}
