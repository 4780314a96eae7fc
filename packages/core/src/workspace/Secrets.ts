/** Re-encrypts the stored secrets of a workspace after its secret was changed. */

import { SystemGrant } from "@lectern/access"
import {
  Encryption,
  type PlainRow,
  Records,
  Signatures,
  type StorageUnavailable,
  secrets,
  Where
} from "@lectern/kernel"
import { type EncryptedTable, encryptedTables, encryptedValuesOf, replaceAt } from "@lectern/kernel/tables"
import { Context, Effect, Layer } from "effect"

/** The number of rows that one query reads. */
const batchSize = 100

/** The encrypted values of a table. */
export interface SecretCounts {
  /** The name of the table. */
  readonly table: string
  /** Values that the current secret encrypts. */
  readonly current: number
  /** Values that a former secret encrypts, or that are not encrypted. `lectern secrets rotate` re-encrypts them. */
  readonly former: number
  /** Values that no configured secret decrypts. */
  readonly unreadable: number
}

/** The counts of one row. */
type RowCounts = Omit<SecretCounts, "table">

const makeSecrets = Effect.gen(function* () {
  const store = yield* Records
  const encryption = yield* Encryption
  const signatures = yield* Signatures
  const { records } = yield* SystemGrant.make("Re-encrypts stored secrets for the operator of the workspace.")

  /** The secret that the workspace has generated is not encrypted if no other is configured. */
  const tables = signatures.isGenerated
    ? encryptedTables.filter(({ table }) => table !== secrets)
    : encryptedTables

  /** Returns the columns of a row whose values are encrypted again, and the counts of its values. */
  const renewRow = Effect.fnUntraced(function* (source: EncryptedTable, row: PlainRow) {
    const set: Record<string, unknown> = {}
    const counts = { current: 0, former: 0, unreadable: 0 }
    for (const { column, path, value, place } of encryptedValuesOf(source, row)) {
      const renewed = yield* encryption.renew(value, place)
      if (renewed === undefined) counts.unreadable++
      else if (renewed === value) counts.current++
      else {
        counts.former++
        set[column] = replaceAt(set[column] ?? row[column], path, renewed)
      }
    }
    return { set, counts }
  })

  const countRow = (source: EncryptedTable, row: PlainRow): Effect.Effect<RowCounts, StorageUnavailable> =>
    Effect.map(renewRow(source, row), ({ counts }) => counts)

  /** Re-encrypts the values of a row in a transaction, which reads it again. */
  const rotateRow = (
    source: EncryptedTable,
    row: PlainRow
  ): Effect.Effect<RowCounts | undefined, StorageUnavailable> => {
    const where = Where.and<PlainRow>(
      ...source.table.key.map((column) => ({
        op: "eq" as const,
        column,
        value: row[column] as Where.Scalar
      }))
    )
    return store.transaction(
      Effect.gen(function* () {
        const [current] = yield* records.find(source.table, { where })
        if (current === undefined) return undefined
        const { set, counts } = yield* renewRow(source, current)
        if (Object.keys(set).length > 0) yield* records.update(source.table, where, set)
        return counts
      })
    )
  }

  /** Reads the rows of every table in batches, and adds up their counts. */
  const visit = (
    visitRow: (
      source: EncryptedTable,
      row: PlainRow
    ) => Effect.Effect<RowCounts | undefined, StorageUnavailable>
  ): Effect.Effect<ReadonlyArray<SecretCounts>, StorageUnavailable> =>
    Effect.forEach(tables, (source) =>
      Effect.gen(function* () {
        const total = { table: source.table.name, current: 0, former: 0, unreadable: 0 }
        let after: ReadonlyArray<Where.Scalar> | undefined
        for (;;) {
          const rows: ReadonlyArray<PlainRow> = yield* records.find(source.table, {
            limit: batchSize,
            ...(after === undefined ? {} : { after })
          })
          for (const row of rows) {
            if (encryptedValuesOf(source, row).length === 0) continue
            const counts = yield* visitRow(source, row)
            if (counts === undefined) continue
            total.current += counts.current
            total.former += counts.former
            total.unreadable += counts.unreadable
          }
          const last = rows.at(-1)
          if (last === undefined || rows.length < batchSize) return total
          after = source.table.key.map((column) => last[column] as Where.Scalar)
        }
      })
    )

  return {
    /** Whether the current secret is one that the workspace has generated and stored in its database. */
    isGenerated: signatures.isGenerated,

    /** Counts the encrypted values of each table, without changing them. */
    count: visit(countRow),

    /**
     * Encrypts all values with the current secret. `former` of the result is the number of values that were re-encrypted.
     * It can be interrupted and repeated, and runs next to requests.
     */
    rotate: visit(rotateRow)
  }
})

/** The methods of {@link Secrets}. */
export interface SecretsService extends Effect.Success<typeof makeSecrets> {}

/** Re-encrypts stored secrets, for operators. */
export class Secrets extends Context.Service<Secrets, SecretsService>()("@lectern/core/Secrets") {
  static readonly layer: Layer.Layer<Secrets, never, Records | Encryption | Signatures> = Layer.effect(
    Secrets,
    makeSecrets
  )
}
