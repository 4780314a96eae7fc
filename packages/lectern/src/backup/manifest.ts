/** The description of a backup in a folder: its tables, and the digests of their rows. */
import { BackupError, type BackupSource, type LinesDigest } from "@lectern/core"
import { Effect, Schema } from "effect"

const Digest = Schema.Struct({ count: Schema.Int, digest: Schema.String })

/** A table, and the order of the values in its rows: that of `columns`. */
const TableDeclaration = Schema.Struct({
  name: Schema.String,
  columns: Schema.Record(
    Schema.String,
    Schema.Struct({
      kind: Schema.Literals(["text", "integer", "boolean", "json", "bytes"]),
      nullable: Schema.Boolean
    })
  ),
  key: Schema.Array(Schema.String),
  rows: Digest
})

/** The file `manifest.json` of a backup. */
export const Manifest = Schema.Struct({
  /** The version of the format of the files. */
  format: Schema.Literal(1),
  createdAt: Schema.String,
  /** The version of Lectern that wrote it, for people. */
  writtenBy: Schema.String,
  schema: Schema.Int,
  /** The id of the organization that it is limited to; null for a whole workspace. */
  organization: Schema.NullOr(Schema.String),
  secret: Schema.NullOr(Schema.Struct({ fingerprint: Schema.String, isStored: Schema.Boolean })),
  tables: Schema.Array(TableDeclaration),
  blobs: Digest
})
export interface Manifest extends Schema.Schema.Type<typeof Manifest> {}

/** Describes a backup whose rows were written. */
export const describeBackup = (
  source: BackupSource,
  createdAt: string,
  writtenBy: string,
  rows: ReadonlyMap<string, LinesDigest>,
  blobs: LinesDigest
): Manifest => ({
  format: 1,
  createdAt,
  writtenBy,
  schema: source.schema,
  organization: source.organization ?? null,
  secret: source.secret,
  tables: source.tables.map((table) => ({
    name: table.name,
    columns: Object.fromEntries(
      Object.entries(table.columns).map(([name, { kind, nullable }]) => [name, { kind, nullable }])
    ),
    key: table.key,
    rows: rows.get(table.name)!
  })),
  blobs
})

/** Decodes the text of a manifest. */
export const decodeManifest = (text: string, path: string): Effect.Effect<Manifest, BackupError> =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))(text),
    () =>
      new BackupError({
        reason: "Corrupt",
        message: `The file ${path} is not the manifest of a backup that this version of Lectern reads.`
      })
  )
