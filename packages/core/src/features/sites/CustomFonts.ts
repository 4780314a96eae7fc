/** Operations on the fonts of an organization, which the customizations of its sites use. */

import {
  type AccessError,
  type Caller,
  type Command,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  type Operation,
  Operations,
  OrganizationQuotas,
  type Query,
  requireQuota,
  SystemGrant
} from "@lectern/access"
import {
  Ids,
  makeLinkBase,
  now,
  type Records,
  readPage,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  type CustomFontFileRow,
  type CustomFontRow,
  customFontFiles,
  customFonts,
  fontDefinitionOf,
  type StagedUploadRow,
  type StoredFontFace,
  stagedUploads
} from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, organizationActions } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import {
  CreateCustomFont,
  type CustomFont,
  CustomFontId,
  type FontFormat,
  fontFormatOf,
  maximumFontFaces,
  UpdateCustomFont
} from "@lectern/model/sites"
import type { UploadKey } from "@lectern/model/uploads"
import { Context, Effect, Layer, Schema } from "effect"
import { ContentStore } from "../content/ContentStore.ts"

/** The maximum number of fonts of an organization. */
const maximumFonts = 50

/** The maximum size of all files of a font, in bytes. */
const maximumFontBytes = 10 * 1024 * 1024

interface OneFont {
  readonly organization: OrganizationId
  readonly font: CustomFontId
}

/** A file of a font. */
export interface CustomFontFile {
  /** The format of the file, by its header. */
  readonly format: FontFormat
  /** The bytes of the file. */
  readonly bytes: Uint8Array
}

/**
 * Operations on the fonts of an organization, on behalf of the `CurrentUser`. They fail with `NotFound` for an organization that the
 * caller cannot see or a font that it does not have, and with `Forbidden` if the caller's role is too low.
 */
export interface CustomFontsOperations {
  /** Lists the fonts, newest first. Requires the role `read`. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<CustomFont>, AccessError>
  /**
   * Creates a font from files that the caller has uploaded. Requires the role `create`. Fails with `InvalidInput` if a file is not a
   * font, or if no font face has the weight 400, and with `Conflict` beyond 50 fonts or 10 MiB of a font.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateCustomFont },
    CustomFont,
    AccessError | Conflict
  >
  /** Returns a font. Requires the role `read`. */
  readonly get: Query<OneFont, CustomFont, AccessError>
  /** Renames a font, and adds, replaces and removes font faces. Requires the role `create`, and fails as `create`. */
  readonly update: Command<OneFont & { input?: UpdateCustomFont }, CustomFont, AccessError | Conflict>
  /** Deletes a font. Requires the role `create`. Sites that use it have the default font. */
  readonly remove: Command<OneFont, void, AccessError>
  /**
   * Returns a file of a font by its SHA-256 digest, or undefined if it does not exist. It requires no `CurrentUser`: pages of
   * published sites load fonts.
   */
  readonly getFile: Operation<
    OneFont & { hash: string },
    CustomFontFile | undefined,
    InvalidInput | StorageUnavailable,
    never
  >
}

const one = { organization: OrganizationId, font: CustomFontId }

const isFont = ({ organization, font }: OneFont): Where.Where<CustomFontRow> =>
  Where.and<CustomFontRow>(Where.eq("organization", organization), Where.eq("id", font))

const isFileOf = ({ organization, font }: OneFont): Where.Where<CustomFontFileRow> =>
  Where.and<CustomFontFileRow>(Where.eq("organization", organization), Where.eq("font", font))

const invalidWeights = (message: string) => InvalidInput.at("fontFaces", message)

/** Fails with `InvalidInput` unless the font faces have different weights, of which one is 400. */
const requireWeights = (faces: ReadonlyArray<{ readonly weight: number }>) => {
  const weights = new Set(faces.map(({ weight }) => weight))
  if (weights.size < faces.length) return Effect.fail(invalidWeights("must have different weights"))
  if (!weights.has(400)) return Effect.fail(invalidWeights("must contain a font face of the weight 400"))
  return faces.length > maximumFontFaces
    ? Effect.fail(invalidWeights(`must be at most ${maximumFontFaces} font faces`))
    : Effect.void
}

const makeFontFiles = Effect.gen(function* () {
  const { files } = yield* ContentStore
  const quotas = yield* OrganizationQuotas

  /** Returns the bytes of a file that a user has uploaded, with its format. */
  const readUpload = Effect.fnUntraced(function* (
    records: GrantedReader,
    { user }: Caller,
    organization: OrganizationId,
    key: UploadKey,
    field: string
  ) {
    const invalid = (message: string) => InvalidInput.at(field, message)
    const upload = yield* records.first(stagedUploads, {
      where: Where.and<StagedUploadRow>(
        Where.eq("organization", organization),
        Where.eq("user", user),
        Where.eq("id", key),
        Where.eq("kind", "customization_font"),
        Where.gt("expiresAt", yield* now)
      )
    })
    const bytes = upload?.hash == null ? undefined : yield* files.readWhole(upload.hash)
    if (bytes === undefined) {
      return yield* invalid(
        "must be the key of a complete file of the kind customization_font, which you have uploaded here in the last 24 hours"
      )
    }
    const format = fontFormatOf(bytes)
    return format === undefined
      ? yield* invalid("must be the key of a font in the format WOFF2 or WOFF")
      : { bytes, format, hash: sha256Hex(bytes) }
  })

  /** Stores uploaded files as files of a font. Returns their font faces. */
  const addFiles = Effect.fnUntraced(function* (
    records: GrantedRecords,
    caller: Caller,
    target: OneFont,
    faces: ReadonlyArray<{ readonly weight: number; readonly storageKey: UploadKey }>
  ) {
    const { organization, font } = target
    const stored = yield* records.find(customFontFiles, {
      select: ["organization", "font", "hash", "size"],
      where: isFileOf(target)
    })
    const sizes = new Map(stored.map(({ hash, size }) => [hash, size]))
    const added: Array<StoredFontFace> = []
    for (const [index, { weight, storageKey }] of faces.entries()) {
      const field = `fontFaces[${index}].storageKey`
      const { bytes, format, hash } = yield* readUpload(records, caller, organization, storageKey, field)
      added.push({ weight, hash, format })
      if (sizes.has(hash)) continue
      const size = bytes.length
      if (Array.from(sizes.values()).reduce((sum, one) => sum + one, size) > maximumFontBytes) {
        return yield* new Conflict({
          reason: "LimitReached",
          message: `The files of a font can have at most ${maximumFontBytes} bytes. Remove font faces first.`
        })
      }
      yield* requireQuota(quotas, records, organization, "bytes", size)
      yield* records.insert(customFontFiles, { organization, font, hash, size, bytes })
      sizes.set(hash, size)
    }
    return added
  })

  /** Removes the files that no font face has. */
  const removeUnused = (records: GrantedRecords, target: OneFont, faces: ReadonlyArray<StoredFontFace>) =>
    records.remove(
      customFontFiles,
      Where.and<CustomFontFileRow>(
        isFileOf(target),
        Where.not(
          Where.isIn<CustomFontFileRow, "hash">(
            "hash",
            faces.map(({ hash }) => hash)
          )
        )
      )
    )

  return { addFiles, removeUnused }
})

const makePresentation = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase

  const present = ({ role }: Caller, rows: ReadonlyArray<CustomFontRow>) =>
    Effect.map(linkBase, (base) =>
      rows.map(
        (row): CustomFont => ({
          ...fontDefinitionOf(base, row),
          permissions: { edit: isAtLeast(role, organizationActions.create) }
        })
      )
    )

  const presentOne = (caller: Caller, row: CustomFontRow) =>
    Effect.map(present(caller, [row]), ([font]) => font!)

  const require = Effect.fnUntraced(function* (records: GrantedReader, { organization, font }: OneFont) {
    const row = yield* records.get(customFonts, { organization, id: font })
    return row === undefined ? yield* NotFound.of("font") : row
  })

  return { present, presentOne, require }
})

const makeReading = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const { present, presentOne, require } = yield* makePresentation
  const published = yield* SystemGrant.make("Returns the files of fonts, which pages of sites load.")

  return {
    list: query(
      "CustomFonts.list",
      {
        parameters: { organization: OrganizationId, input: PageQuery },
        authorize: allow.organization("listFonts")
      },
      function* ({ organization, input }, { caller, records }) {
        return yield* readPage(records, input, {
          table: customFonts,
          list: ["fonts", organization],
          where: Where.eq<CustomFontRow, "organization">("organization", organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => present(caller, rows)
        })
      }
    ),

    get: query(
      "CustomFonts.get",
      { parameters: one, authorize: allow.organization("listFonts") },
      function* (target, { caller, records }) {
        return yield* presentOne(caller, yield* require(records, target))
      }
    ),

    getFile: query(
      "CustomFonts.getFile",
      {
        parameters: { ...one, hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
        authorize: {
          rule: { kind: "visitor", why: "The URL of a file of a font contains its digest." },
          check: () => Effect.succeed({ grant: published.grant })
        }
      },
      function* ({ organization, font, hash }, { records }) {
        const file = yield* records.get(customFontFiles, { organization, font, hash })
        const format = file === undefined ? undefined : fontFormatOf(file.bytes)
        return file === undefined || format === undefined ? undefined : { format, bytes: file.bytes }
      }
    )
  }
})

const makeWriting = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const ids = yield* Ids
  const { presentOne, require } = yield* makePresentation
  const { addFiles, removeUnused } = yield* makeFontFiles

  return {
    create: command(
      "CustomFonts.create",
      {
        parameters: { organization: OrganizationId, input: CreateCustomFont },
        authorize: allow.organization("create"),
        locks: Locks.organization
      },
      function* ({ organization, input: { fontFamily, fontFaces } }, { caller, records }) {
        yield* requireWeights(fontFaces)
        const whole = Where.eq<CustomFontRow, "organization">("organization", organization)
        if ((yield* records.count(customFonts, whole)) >= maximumFonts) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The organization has ${maximumFonts} fonts, the maximum. Delete a font first.`
          })
        }
        const id = CustomFontId.make(yield* ids.next)
        const faces = yield* addFiles(records, caller, { organization, font: id }, fontFaces)
        const row = {
          ...{ organization, id, family: fontFamily },
          faces: faces.toSorted((a, b) => a.weight - b.weight)
        }
        yield* records.insert(customFonts, row)
        return yield* presentOne(caller, row)
      }
    ),

    update: command(
      "CustomFonts.update",
      {
        parameters: { ...one, input: UpdateCustomFont },
        authorize: allow.organization("create"),
        locks: Locks.organization
      },
      function* ({ organization, font, input: { fontFamily, fontFaces = [] } }, { caller, records }) {
        const target = { organization, font }
        const before = yield* require(records, target)
        const given = fontFaces.flatMap(({ weight, storageKey }) =>
          storageKey === null ? [] : [{ weight, storageKey }]
        )
        const named = new Set(fontFaces.map(({ weight }) => weight))
        const kept = before.faces.filter(({ weight }) => !named.has(weight))
        yield* requireWeights([...kept, ...given])
        const added = yield* addFiles(records, caller, target, given)
        const faces = [...kept, ...added].toSorted((a, b) => a.weight - b.weight)
        const after = { ...before, family: fontFamily ?? before.family, faces }
        yield* records.update(customFonts, isFont(target), { family: after.family, faces })
        if (fontFaces.length > 0) yield* removeUnused(records, target, faces)
        return yield* presentOne(caller, after)
      }
    ),

    remove: command(
      "CustomFonts.remove",
      { parameters: one, authorize: allow.organization("create"), locks: Locks.organization },
      function* (target, { records }) {
        yield* require(records, target)
        yield* records.remove(customFontFiles, isFileOf(target))
        yield* records.remove(customFonts, isFont(target))
      }
    )
  }
})

const makeCustomFonts = Effect.gen(function* () {
  return { ...(yield* makeReading), ...(yield* makeWriting) } satisfies CustomFontsOperations
})

/** Operations on the fonts of an organization: see {@link CustomFontsOperations}. */
export class CustomFonts extends Context.Service<CustomFonts, CustomFontsOperations>()(
  "@lectern/core/CustomFonts"
) {
  static readonly layer: Layer.Layer<CustomFonts, never, Operations | Ids | ContentStore | Records> =
    Layer.effect(CustomFonts, makeCustomFonts)
}
