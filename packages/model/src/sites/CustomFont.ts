/** The fonts of an organization, whose files it uploads, for the customizations of its sites. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { UploadKey } from "../uploads/Upload.ts"
import type { FontFormat } from "./fontFormat.ts"

/** The id of a font of an organization. */
export const CustomFontId = idSchema("The id of a font of an organization.").pipe(
  Schema.brand("CustomFontId")
)

/** The id of a font of an organization. */
export type CustomFontId = string & Brand.Brand<"CustomFontId">

/** The maximum number of font faces of a font. */
export const maximumFontFaces = 20

/** The name of a family: it is part of a style sheet, so that it has no quotes, brackets or backslashes. */
const FontFamily = text({ min: 1, max: 50 }).check(
  Schema.isPattern(/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}._-])?$/u, {
    message:
      "must have only letters, digits, spaces, periods, hyphens and underscores, begin with a letter or a digit, and not end with a space"
  })
)

/** The weight of a font face. */
const FontWeight = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))

/** A list of at most 20 font faces. */
const facesOf = <S extends Schema.Top>(face: S) =>
  Schema.Array(face).check(
    Schema.isMaxLength(maximumFontFaces, { message: `must be at most ${maximumFontFaces} font faces` })
  )

/** A font in the customization of a site. */
export const FontDefinition = Schema.Struct({
  /** The id of the font. */
  id: CustomFontId,
  /** Whether the organization has uploaded the font: always true. */
  custom: Schema.Boolean,
  /** The name of the font family in style sheets, 1 to 50 characters. */
  fontFamily: text({ min: 1, max: 50 }),
  /** The font faces, by ascending weight. */
  fontFaces: facesOf(
    Schema.Struct({
      /** The weight of the font face, 1 to 1000. */
      weight: FontWeight,
      /** The files of the font face. */
      sources: Schema.Array(
        Schema.Struct({
          /** The URL of the file. It requires no token. */
          url: text({ max: 2048 }),
          /** The format of the file. */
          format: Schema.optionalKey(Schema.Literals(["woff2", "woff"]))
        })
      ).check(Schema.isMaxLength(10, { message: "must be at most 10 files" }))
    })
  )
})

/** A font in the customization of a site. */
export interface FontDefinition extends Schema.Schema.Type<typeof FontDefinition> {}

/** A font of an organization. */
export class CustomFont extends resource<CustomFont>()(
  Schema.Struct({
    ...FontDefinition.fields,
    /** The permissions of the caller. */
    permissions: Schema.Struct({
      /** Whether the caller can change and delete the font. */
      edit: Schema.Boolean
    })
  }).annotate({ identifier: "CustomFont" })
) {}

/** A new font. */
export class CreateCustomFont extends resource<CreateCustomFont>()(
  Schema.Struct({
    /** The name of the font family in style sheets: 1 to 50 letters, digits, spaces, periods, hyphens and underscores. */
    fontFamily: FontFamily,
    /** The font faces, 1 to 20 with different weights, of which one has the weight 400. */
    fontFaces: facesOf(
      Schema.Struct({
        /** The weight of the font face, 1 to 1000. */
        weight: FontWeight,
        /** The key of an uploaded file of the kind `customization_font`, in the format WOFF2 or WOFF. */
        storageKey: UploadKey
      })
    )
  }).annotate({ identifier: "CreateCustomFont" })
) {}

/** The fields of a font to update. Absent fields do not change. */
export class UpdateCustomFont extends resource<UpdateCustomFont>()(
  Schema.Struct({
    /** The name of the font family in style sheets: 1 to 50 letters, digits, spaces, periods, hyphens and underscores. */
    fontFamily: Schema.optionalKey(FontFamily),
    /** The font faces to add, to replace and to remove, by their weights. Others remain. */
    fontFaces: Schema.optionalKey(
      facesOf(
        Schema.Struct({
          /** The weight of the font face, 1 to 1000. */
          weight: FontWeight,
          /** The key of an uploaded file of the kind `customization_font`; null removes the font face. */
          storageKey: Schema.NullOr(UploadKey)
        })
      )
    )
  }).annotate({ identifier: "UpdateCustomFont" })
) {}

/** A file of a font: its font, the SHA-256 of its bytes in hexadecimal, and its format. */
export interface FontFile {
  /** The id of the font. */
  readonly font: string
  /** The SHA-256 digest of the bytes, in hexadecimal. */
  readonly hash: string
  /** The format of the file. */
  readonly format: FontFormat
}

/** The path prefix of files of fonts, followed by the organization, the font, and the name of the file. */
export const fontsPath = "/fonts/"

/** Returns the path of a file of a font. */
export const fontPath = (organization: string, { font, hash, format }: FontFile): string =>
  `${fontsPath}${organization}/${font}/${hash}.${format}`

/** Returns the file of a font at the end of a URL or of its path; undefined for other URLs. */
export const fontFileOf = (url: string): FontFile | undefined => {
  const found = /\/([\w-]+)\/([0-9a-f]{64})\.(woff2?)$/.exec(url)
  return found === null
    ? undefined
    : { font: found[1]!, hash: found[2]!, format: found[3] === "woff" ? "woff" : "woff2" }
}
