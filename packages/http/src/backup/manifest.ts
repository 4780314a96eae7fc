/** The description of a backup in a folder: its tables, and the digests of their rows. */
import { BackupError, type BackupSource, type LinesDigest, Table } from "@lectern/core"
import { Effect, Schema } from "effect"

const Digest = Schema.Struct({ count: Schema.Int, digest: Schema.String })

const TableDeclaration = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/^[A-Za-z]{1,60}$/)),
  columns: Schema.Record(
    Schema.String,
    Schema.Struct({
      kind: Schema.Literals(["text", "integer", "boolean", "json", "bytes"]),
      nullable: Schema.Boolean,
      generated: Schema.optionalKey(Schema.Literal(true))
    })
  ),
  key: Schema.Array(Schema.String),
  /** The name of the table that a column refers to. */
  references: Schema.Record(Schema.String, Schema.String),
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
      Object.entries(table.columns).map(([name, { kind, nullable, generated }]) => [
        name,
        { kind, nullable, ...(generated === undefined ? {} : { generated }) }
      ])
    ),
    key: table.key,
    references: Object.fromEntries(
      Object.entries(table.references).flatMap(([column, reference]) =>
        reference === undefined ? [] : [[column, reference.table().name]]
      )
    ),
    rows: rows.get(table.name)!
  })),
  blobs
})

/** Returns the tables of a backup, with the columns that they had when it was taken. */
export const tablesOfManifest = (manifest: Manifest): ReadonlyArray<Table.AnyTable> => {
  const declared = new Map<string, Table.AnyTable>()
  for (const { name, columns, key, references } of manifest.tables) {
    declared.set(
      name,
      Table.make(name, {
        columns: columns as Table.Columns,
        key,
        references: Object.fromEntries(
          Object.entries(references).map(([column, target]) => [
            column,
            // Of a backup of an organization, a table that is referred to can be missing.
            {
              table: () => declared.get(target) ?? Table.make(target, { columns: {}, key: [] }),
              onRemove: "restrict"
            }
          ])
        )
      })
    )
  }
  return [...declared.values()]
}

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
