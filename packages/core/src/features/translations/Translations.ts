/** What callers do with translation settings. */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import { NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import type { OrganizationAction } from "../../model/roles/Policy.ts"
import { organizationActions } from "../../model/roles/Policy.ts"
import { isAtLeast } from "../../model/roles/Role.ts"
import {
  defaultLanguages,
  PutTranslation,
  type Translation,
  TranslationId,
  type TranslationRow,
  translations
} from "../../model/translations/Translation.ts"

const makeTranslations = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const present = (caller: Caller, { organization, ...row }: TranslationRow): Translation => ({
    object: "translation-settings",
    ...row,
    permissions: {
      view: isAtLeast(caller.role, organizationActions.listTranslations),
      edit: isAtLeast(caller.role, organizationActions.create)
    },
    urls: { location: `${base}/v1/orgs/${organization}/translations/${row.id}` }
  })

  const load = Effect.fnUntraced(function* (
    organization: OrganizationId,
    id: TranslationId,
    action: OrganizationAction
  ) {
    const [caller, row] = yield* records.both(
      access.organization(organization, action),
      records.get(translations, { id })
    )
    if (row?.organization !== organization) return yield* NotFound.of("translation settings")
    return { caller, row }
  })

  return {
    /** The translation settings of an organization, newest first. */
    list: query([OrganizationId, PageQuery], function* (organization, page) {
      const caller = yield* access.organization(organization, "listTranslations")
      return yield* readPage(records, page, {
        table: translations,
        list: ["translations", organization],
        where: Where.eq<TranslationRow, "organization">("organization", organization),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => Effect.succeed(rows.map((row) => present(caller, row)))
      })
    }),

    /** Makes translation settings. */
    create: change([OrganizationId, PutTranslation], function* (organization, { title }) {
      const caller = yield* access.organization(organization, "create")
      const time = yield* now
      const row: TranslationRow = {
        id: TranslationId.make(yield* ids.next),
        organization,
        title,
        languages: defaultLanguages,
        createdAt: time,
        updatedAt: time
      }
      yield* records.insert(translations, row)
      return present(caller, row)
    }),

    /** The translation settings. */
    get: query([OrganizationId, TranslationId], function* (organization, id) {
      const { caller, row } = yield* load(organization, id, "listTranslations")
      return present(caller, row)
    }),

    /** Gives them another title. */
    update: change([OrganizationId, TranslationId, PutTranslation], function* (organization, id, { title }) {
      const { caller, row } = yield* load(organization, id, "create")
      const changes = { title, updatedAt: yield* now }
      yield* records.update(translations, Where.eq("id", id), changes)
      return present(caller, { ...row, ...changes })
    }),

    /** Removes them. */
    remove: change([OrganizationId, TranslationId], function* (organization, id) {
      yield* load(organization, id, "create")
      yield* records.remove(translations, Where.eq("id", id))
    })
  }
})

/** See the module's comment. */
export class Translations extends Context.Service<Translations, Effect.Success<typeof makeTranslations>>()(
  "@lectern/core/Translations"
) {
  static readonly layer: Layer.Layer<Translations, never, Records | Access | Ids> = Layer.effect(
    Translations,
    makeTranslations
  )
}
