/** The tables `customFonts` and `customFontFiles`. */

import type { OrganizationId } from "@lectern/model/organizations"
import { type CustomFontId, type FontDefinition, type FontFormat, fontPath } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

/** A font face: the digest of its file, which is a row of `customFontFiles`. */
export interface StoredFontFace {
  /** The weight, 1 to 1000. */
  readonly weight: number
  /** The SHA-256 digest of the file, in hexadecimal. */
  readonly hash: string
  /** The format of the file. */
  readonly format: FontFormat
}

const customFontColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text<CustomFontId>(),
  family: Table.text(),
  /** The font faces, by ascending weight. */
  faces: Table.json<ReadonlyArray<StoredFontFace>>()
}

/** A stored font of an organization. */
export interface CustomFontRow extends Table.RowOf<typeof customFontColumns> {}

/** The table of the fonts of organizations. */
export const customFonts: Table.ProtectedTable<"customFonts", CustomFontRow, "organization" | "id"> =
  Table.makeProtected("customFonts", {
    tenant: "organization",
    columns: customFontColumns,
    locking: lockedByOrganization,
    key: ["organization", "id"],
    references: { organization: { table: () => organizations, onRemove: "cascade" } }
  })

const customFontFileColumns = {
  organization: Table.text<OrganizationId>(),
  font: Table.text<CustomFontId>(),
  /** The SHA-256 digest of the bytes, in hexadecimal. */
  hash: Table.text(),
  size: Table.integer(),
  bytes: Table.bytes()
}

/** A stored file of a font. */
export interface CustomFontFileRow extends Table.RowOf<typeof customFontFileColumns> {}

/** The table of the files of fonts, which are read by their digests. */
export const customFontFiles: Table.ProtectedTable<
  "customFontFiles",
  CustomFontFileRow,
  "organization" | "font" | "hash"
> = Table.makeProtected("customFontFiles", {
  tenant: "organization",
  columns: customFontFileColumns,
  locking: lockedByOrganization,
  key: ["organization", "font", "hash"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } }
})

/** Returns the definition of a font for customizations, with the URLs of its files below `base`. */
export const fontDefinitionOf = (
  base: string,
  { organization, id, family, faces }: CustomFontRow
): FontDefinition => ({
  id,
  custom: true,
  fontFamily: family,
  fontFaces: faces.map(({ weight, ...file }) => ({
    weight,
    sources: [{ url: `${base}${fontPath(organization, { font: id, ...file })}`, format: file.format }]
  }))
})
