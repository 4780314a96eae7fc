/** Operations on the glossary of an organization. */

import { type AccessError, type Command, Locks, Operations, type Query } from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, Where } from "@lectern/kernel"
import { type GlossaryEntryRow, glossaryEntries } from "@lectern/kernel/tables"
import { Conflict, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { type GlossaryEntry, GlossaryEntryId, UpdateGlossary } from "@lectern/model/translations"
import { Context, Effect, Layer } from "effect"

/** The maximum number of entries of an organization. */
const maximumEntries = 5_000

/**
 * Operations on the glossary of an organization, on behalf of the `CurrentUser`. They fail with `NotFound` for an organization that
 * the caller cannot see or an entry that it does not have, and with `Forbidden` if the caller's role is too low.
 */
export interface GlossaryOperations {
  /** Lists the entries, newest first. Requires the role `read`. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<GlossaryEntry>, AccessError>
  /** Returns an entry. Requires the role `read`. */
  readonly get: Query<
    { organization: OrganizationId; glossaryEntry: GlossaryEntryId },
    GlossaryEntry,
    AccessError
  >
  /**
   * Inserts, updates and deletes entries in their order, as a whole. Requires the role `create`. Fails with `Conflict` beyond 5,000
   * entries.
   */
  readonly update: Command<
    { organization: OrganizationId; input: UpdateGlossary },
    void,
    AccessError | Conflict
  >
}

const toEntry = (base: string, { organization, ...row }: GlossaryEntryRow): GlossaryEntry => ({
  object: "glossary-entry",
  ...row,
  urls: { location: `${base}/v1/orgs/${organization}/translations-glossary/${row.id}` }
})

const isEntry = (organization: OrganizationId, id: GlossaryEntryId): Where.Where<GlossaryEntryRow> =>
  Where.and<GlossaryEntryRow>(Where.eq("organization", organization), Where.eq("id", id))

const makeGlossary = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase

  return {
    list: query(
      "Glossary.list",
      {
        parameters: { organization: OrganizationId, input: PageQuery },
        authorize: allow.organization("listTranslations")
      },
      function* ({ organization, input }, { records }) {
        return yield* readPage(records, input, {
          table: glossaryEntries,
          list: ["glossary", organization],
          where: Where.eq<GlossaryEntryRow, "organization">("organization", organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.map(linkBase, (base) => rows.map((row) => toEntry(base, row)))
        })
      }
    ),

    get: query(
      "Glossary.get",
      {
        parameters: { organization: OrganizationId, glossaryEntry: GlossaryEntryId },
        authorize: allow.organization("listTranslations")
      },
      function* ({ organization, glossaryEntry: id }, { records }) {
        const row = yield* records.get(glossaryEntries, { organization, id })
        return row === undefined ? yield* NotFound.of("glossary entry") : toEntry(yield* linkBase, row)
      }
    ),

    update: command(
      "Glossary.update",
      {
        parameters: { organization: OrganizationId, input: UpdateGlossary },
        authorize: allow.organization("create"),
        locks: Locks.organization
      },
      function* ({ organization, input: { operations } }, { records }) {
        const time = yield* now
        for (const operation of operations) {
          if (operation.type === "insert") {
            yield* records.insert(glossaryEntries, {
              organization,
              id: GlossaryEntryId.make(yield* ids.next),
              translations: operation.translations,
              createdAt: time,
              updatedAt: time
            })
            continue
          }
          const entry = isEntry(organization, operation.id)
          const changed =
            operation.type === "delete"
              ? yield* records.remove(glossaryEntries, entry)
              : yield* records.update(glossaryEntries, entry, {
                  translations: operation.translations,
                  updatedAt: time
                })
          if (changed === 0) return yield* NotFound.of("glossary entry")
        }
        const count = yield* records.count(
          glossaryEntries,
          Where.eq<GlossaryEntryRow, "organization">("organization", organization)
        )
        if (count > maximumEntries) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `The glossary would have more than ${maximumEntries} entries, the maximum. Delete entries first.`
          })
        }
      }
    )
  }
})

/** Operations on the glossary of an organization: see {@link GlossaryOperations}. */
export class Glossary extends Context.Service<Glossary, GlossaryOperations>()("@lectern/core/Glossary") {
  static readonly layer: Layer.Layer<Glossary, never, Operations | Ids> = Layer.effect(Glossary, makeGlossary)
}
