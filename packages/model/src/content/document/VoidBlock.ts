/** Blocks without nodes: references to pages and files, embeds, formulas, and blocks of OpenAPI and integrations. */
import * as Schema from "effect/Schema"
import { resource } from "../../schema/resource.ts"
import { text } from "../../schema/Text.ts"
import { Attributes, base, flag, isVoid, otherAttributes } from "./base.ts"
import { ContentRef, fixedField, ImageRef, ReusableContentRef } from "./Inline.ts"
import { Paragraph } from "./TextBlock.ts"

const meta = Schema.optionalKey(Schema.Struct({ id: Schema.String }))

/** The paragraphs of the caption of a file or an embed. */
export class BlockCaption extends resource<BlockCaption>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key: Schema.optionalKey(Schema.String),
    fragment: Schema.Literal("caption"),
    type: Schema.optionalKey(Schema.String),
    nodes: Schema.Array(Paragraph)
  })
) {}

const captions = Schema.optionalKey(
  Schema.Array(BlockCaption).check(Schema.isMaxLength(1, { message: "must be at most one caption" }))
)

/** A reusable content, which readers see in place of the block. */
export class ReusableContent extends resource<ReusableContent>()(
  Schema.Struct({ ...base("reusable-content"), isVoid, data: Schema.Struct({ ref: ReusableContentRef }) })
) {}

/** A content of another site, by its URL. */
export class Embed extends resource<Embed>()(
  Schema.Struct({
    ...base("embed"),
    isVoid,
    data: Schema.Struct({ url: text(), fullWidth: flag, attributes: otherAttributes }),
    fragments: captions
  })
) {}

/** A card that links to a page, an anchor, a file or a URL. `label` is the text of the link, by default its URL. */
export class ContentRefBlock extends resource<ContentRefBlock>()(
  Schema.Struct({
    ...base("content-ref"),
    isVoid,
    data: Schema.Struct({ ref: ContentRef, label: Schema.optionalKey(text()), attributes: otherAttributes })
  })
) {}

/** A file to download. */
export class FileBlock extends resource<FileBlock>()(
  Schema.Struct({
    ...base("file"),
    isVoid,
    data: Schema.Struct({ ref: ImageRef, attributes: otherAttributes }),
    fragments: captions
  })
) {}

/** A drawing, as an image that its editor can edit. */
export class Drawing extends resource<Drawing>()(
  Schema.Struct({
    ...base("drawing"),
    isVoid,
    data: Schema.Struct({ ref: Schema.optionalKey(ImageRef), alt: Schema.optionalKey(text()) })
  })
) {}

/** A formula in TeX. */
export class MathBlock extends resource<MathBlock>()(
  Schema.Struct({ ...base("math"), isVoid, data: Schema.Struct({ formula: text() }) })
) {}

const method = text({ min: 1 })

/** An operation of an OpenAPI document, by the URL or the file of the document. */
export class Swagger extends resource<Swagger>()(
  Schema.Struct({
    ...base("swagger"),
    isVoid,
    data: Schema.Struct({
      ref: ImageRef,
      path: text(),
      method,
      expanded: flag,
      fullWidth: flag,
      label: Schema.optionalKey(text({ min: 1 })),
      attributes: otherAttributes
    }),
    meta
  })
) {}

class OpenApiRef extends resource<OpenApiRef>()(
  Schema.Struct({ kind: Schema.Literal("openapi"), spec: text({ min: 1 }) })
) {}

/** `url` and `label` are the URL and the text of the link that Markdown has in place of the block. */
const openApi = {
  ref: OpenApiRef,
  url: Schema.optionalKey(text({ min: 1 })),
  label: Schema.optionalKey(text({ min: 1 })),
  attributes: otherAttributes
}

/** An operation of an OpenAPI specification of the organization. */
export class OpenApiOperation extends resource<OpenApiOperation>()(
  Schema.Struct({
    ...base("openapi-operation"),
    isVoid,
    data: Schema.Struct({ ...openApi, path: text(), method }),
    meta
  })
) {}

/** A webhook of an OpenAPI specification of the organization. */
export class OpenApiWebhook extends resource<OpenApiWebhook>()(
  Schema.Struct({
    ...base("openapi-webhook"),
    isVoid,
    data: Schema.Struct({ ...openApi, name: text(), method }),
    meta
  })
) {}

/** Schemas of an OpenAPI specification of the organization. */
export class OpenApiSchemas extends resource<OpenApiSchemas>()(
  Schema.Struct({
    ...base("openapi-schemas"),
    isVoid,
    data: Schema.Struct({
      ...openApi,
      schemas: Schema.Array(
        text({ min: 1 }).check(Schema.isPattern(/^[^,]*$/, { message: "must not have commas" }))
      ),
      grouped: flag
    }),
    meta
  })
) {}

const name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][\w.-]{0,63}$/, {
    message: "must be a name of letters, digits, `-`, `_` and `.`"
  })
)

/** A block of an integration. Its properties are the attributes of its tag. */
export class IntegrationBlock extends resource<IntegrationBlock>()(
  Schema.Struct({
    ...base("integration"),
    isVoid,
    data: Schema.Struct({
      integration: name,
      block: name,
      props: Attributes,
      action: fixedField(),
      url: Schema.optionalKey(text()),
      fullWidth: flag
    })
  })
) {}
