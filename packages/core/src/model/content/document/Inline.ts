/**
 * The inline nodes of a document: text with marks, links and images, and the targets of links and images.
 *
 * The public contract defines their shapes. Markdown without a field in the contract is stored in `data` of a leaf, a
 * link or an image. Fields of the contract without a form in Markdown are invalid, unless they have their default
 * value: otherwise, an edit would lose them silently.
 */

import { Schema } from "effect"
import { resource } from "../../../kernel/schema/resource.ts"
import { text } from "../../../kernel/schema/Text.ts"

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

class PageRef extends resource<PageRef>()(
  Schema.Struct({ kind: Schema.Literal("page"), page: identifier, space: fixedField() })
) {}
class FileRef extends resource<FileRef>()(
  Schema.Struct({ kind: Schema.Literal("file"), file: identifier, space: fixedField() })
) {}
class AnchorRef extends resource<AnchorRef>()(
  Schema.Struct({
    kind: Schema.Literal("anchor"),
    anchor: text({ min: 1 }),
    page: Schema.optionalKey(identifier),
    space: fixedField()
  })
) {}
class UrlRef extends resource<UrlRef>()(Schema.Struct({ kind: Schema.Literal("url"), url: text() })) {}

/** The target of a link: a page, a file or an anchor in this space, or a URL. */
export type ContentRef = PageRef | FileRef | AnchorRef | UrlRef
/** The target of a link. */
export const ContentRef: Schema.Codec<ContentRef> = Schema.Union([PageRef, FileRef, AnchorRef, UrlRef])

/** The target of an image. */
export type ImageRef = FileRef | UrlRef
/** The target of an image. */
export const ImageRef: Schema.Codec<ImageRef> = Schema.Union([FileRef, UrlRef])

/** A reference to a reusable content of the space. */
export class ReusableContentRef extends resource<ReusableContentRef>()(
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    reusableContent: identifier,
    space: fixedField()
  })
) {}

/** The formatting of a run of text. Marks are ordered from the outermost to the innermost. */
export class Mark extends resource<Mark>()(
  Schema.Struct({
    object: Schema.Literal("mark"),
    type: Schema.Literals(["bold", "italic", "strikethrough", "code"])
  })
) {}

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

const imageFields = {
  ref: ImageRef,
  refDark: fixedField(),
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
      size: fixedField("original"),
      marks: Schema.optionalKey(Schema.Array(Mark))
    })
  })
) {}

/** A link. `marks` are the marks that surround it; its text repeats them, followed by its own marks. */
export class Link extends resource<Link>()(
  Schema.Struct({
    object: Schema.Literal("inline"),
    type: Schema.Literal("link"),
    key,
    isVoid: Schema.optionalKey(Schema.Literal(false)),
    nodes: Schema.Array(Schema.Union([Text, InlineImage])),
    data: Schema.Struct({
      ref: ContentRef,
      title: Schema.optionalKey(text()),
      reference: Schema.optionalKey(Reference),
      marks: Schema.optionalKey(Schema.Array(Mark))
    })
  })
) {}

/** An inline node. */
export const Inline: Schema.Codec<Inline> = Schema.Union([Text, Link, InlineImage])
/** An inline node. */
export type Inline = Text | Link | InlineImage

/** The caption of an image: a paragraph of text without marks. */
export class Caption extends resource<Caption>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key,
    fragment: Schema.Literal("caption"),
    type: Schema.optionalKey(Schema.String),
    nodes: Schema.Array(
      Schema.Struct({
        object: Schema.Literal("block"),
        type: Schema.Literal("paragraph"),
        key,
        isVoid: Schema.optionalKey(Schema.Literal(false)),
        nodes: Schema.Array(
          Schema.Struct({
            object: Schema.Literal("text"),
            key,
            leaves: Schema.Array(
              Schema.Struct({
                object: Schema.Literal("leaf"),
                text: text(),
                marks: Schema.Array(
                  Mark.check(Schema.makeFilter(() => "has no form in the caption of an image: omit it"))
                )
              })
            )
          })
        )
      })
    )
  })
) {}

/** An image as a block. */
export class Image extends resource<Image>()(
  Schema.Struct({
    object: Schema.Literal("block"),
    type: Schema.Literal("image"),
    key,
    isVoid: Schema.Literal(true),
    data: Schema.Struct({ ...imageFields, width: fixedField(), height: fixedField() }),
    fragments: Schema.Array(Caption).check(
      Schema.makeFilter((captions) => (captions.length > 1 ? "must be at most one caption" : undefined))
    )
  })
) {}
