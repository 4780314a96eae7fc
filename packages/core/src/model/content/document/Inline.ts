/**
 * What a line of a document is made of: text with its marks, links, images, and what these refer to.
 *
 * The shapes are those of the public contract. What markdown says and the contract has no field for is kept where
 * the contract leaves room: `data` of a leaf, a link or an image. What the contract has and markdown cannot say is
 * refused by the schemas with its path, so that nothing of a document from outside is lost silently.
 */

import { Schema } from "effect"
import { resource } from "../../../kernel/schema/resource.ts"
import { text } from "../../../kernel/schema/Text.ts"

/** A field that markdown cannot say: its value may only be what it is when it is left out. */
export const unsayable = (usual?: unknown) =>
  Schema.optionalKey(
    Schema.Unknown.check(
      Schema.makeFilter((value) => (value === usual ? undefined : "has no form in markdown: leave it out"))
    )
  )

/** A key names a node within its document. Those given from outside are not kept: keys follow from the place. */
const key: Schema.optionalKey<Schema.String> = Schema.optionalKey(Schema.String)
const identifier = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9._~-]{1,64}$/u, { message: "must be an id" })
)

class PageRef extends resource<PageRef>()(
  Schema.Struct({ kind: Schema.Literal("page"), page: identifier, space: unsayable() })
) {}
class FileRef extends resource<FileRef>()(
  Schema.Struct({ kind: Schema.Literal("file"), file: identifier, space: unsayable() })
) {}
class AnchorRef extends resource<AnchorRef>()(
  Schema.Struct({
    kind: Schema.Literal("anchor"),
    anchor: text({ min: 1 }),
    page: Schema.optionalKey(identifier),
    space: unsayable()
  })
) {}
class UrlRef extends resource<UrlRef>()(Schema.Struct({ kind: Schema.Literal("url"), url: text() })) {}

/** A reference to what has an id in this space, or to an address. */
export type ContentRef = PageRef | FileRef | AnchorRef | UrlRef
const ContentRef: Schema.Codec<ContentRef> = Schema.Union([PageRef, FileRef, AnchorRef, UrlRef])

/** The target of an image. */
export type ImageRef = FileRef | UrlRef
const ImageRef: Schema.Codec<ImageRef> = Schema.Union([FileRef, UrlRef])

/** A reference to a reusable content of the space. */
export class ReusableContentRef extends resource<ReusableContentRef>()(
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    reusableContent: identifier,
    space: unsayable()
  })
) {}

/** How a run of text is set. Marks are listed from the outermost to the innermost. */
export class Mark extends resource<Mark>()(
  Schema.Struct({
    object: Schema.Literal("mark"),
    type: Schema.Literals(["bold", "italic", "strikethrough", "code"])
  })
) {}

/**
 * A run of text with the same marks. `data.markdown` says what the text stands for, where it is more than itself:
 * a `break` of the line, inline `html`, or the call of a `footnote`, as in `[^1]`.
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

/** Text, as runs with the same marks. */
export class Text extends resource<Text>()(
  Schema.Struct({ object: Schema.Literal("text"), key, leaves: Schema.Array(Leaf) })
) {}

/** The definition that a link or an image gets its address from, and how it names it. */
export class Reference extends resource<Reference>()(
  Schema.Struct({
    label: text({ min: 1 }),
    kind: Schema.Literals(["shortcut", "collapsed", "full"])
  })
) {}

const imageFields = {
  ref: ImageRef,
  refDark: unsayable(),
  alt: Schema.optionalKey(text()),
  reference: Schema.optionalKey(Reference)
}

/** An image in a line. Its caption is what markdown calls its title; `marks` are those around it. */
export class InlineImage extends resource<InlineImage>()(
  Schema.Struct({
    object: Schema.Literal("inline"),
    type: Schema.Literal("inline-image"),
    key,
    isVoid: Schema.Literal(true),
    data: Schema.Struct({
      ...imageFields,
      caption: Schema.optionalKey(text()),
      size: unsayable("original"),
      marks: Schema.optionalKey(Schema.Array(Mark))
    })
  })
) {}

/** A link. `marks` are those around it; the marks of its text are those and the ones within it. */
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

/** A node in a line of text. */
export const Inline: Schema.Codec<Inline> = Schema.Union([Text, Link, InlineImage])
/** A node in a line of text. */
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
                  Mark.check(Schema.makeFilter(() => "has no form in the caption of an image: leave it out"))
                )
              })
            )
          })
        )
      })
    )
  })
) {}

/** An image that stands by itself. */
export class Image extends resource<Image>()(
  Schema.Struct({
    object: Schema.Literal("block"),
    type: Schema.Literal("image"),
    key,
    isVoid: Schema.Literal(true),
    data: Schema.Struct({ ...imageFields, width: unsayable(), height: unsayable() }),
    fragments: Schema.Array(Caption).check(
      Schema.makeFilter((captions) => (captions.length > 1 ? "must be at most one caption" : undefined))
    )
  })
) {}
