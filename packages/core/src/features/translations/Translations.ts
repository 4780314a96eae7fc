/** Operations on the translation settings of an organization. */

import {
  Access,
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  type GrantedReader,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, Where } from "@lectern/kernel"
import { type SpaceRow, spaces, type TranslationRow, translations } from "@lectern/kernel/tables"
import { NotFound, type Noun } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, type OrganizationAction, organizationActions } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import type { SpaceId } from "@lectern/model/spaces"
import {
  CreateTranslation,
  defaultLanguages,
  languageName,
  noInstructions,
  noOutcome,
  type Translation,
  TranslationId,
  UpdateTranslation
} from "@lectern/model/translations"
import { Context, Effect, Layer } from "effect"

/**
 * Operations on the translation settings of an organization, on behalf of the `CurrentUser`. They fail with `NotFound`
 * for an organization that the caller cannot see, for settings that are not in it, and for settings of a space that the
 * caller cannot see; with `Forbidden` if the caller's role is too low. The settings of a space are removed with it.
 */
export interface TranslationsOperations {
  /** Lists the translation settings of an organization, newest first. Fails with `Forbidden` for guests. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<Translation>, AccessError>
  /**
   * Creates translation settings; requires the role `create`. Fails with `NotFound` for a source that the caller cannot see, or that is in
   * another organization. Each run authorizes its operations.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateTranslation },
    Translation,
    AccessError
  >
  /** Returns the translation settings. Fails with `Forbidden` for guests. */
  readonly get: Query<{ organization: OrganizationId; translation: TranslationId }, Translation, AccessError>
  /** Updates the title and the instructions of the translation settings; requires the role `create`. */
  readonly update: Command<
    { organization: OrganizationId; translation: TranslationId; input: UpdateTranslation },
    Translation,
    AccessError
  >
  /** Permanently removes the translation settings; requires the role `create`. */
  readonly remove: Command<{ organization: OrganizationId; translation: TranslationId }, void, AccessError>
}

const presentTranslation = (
  base: string,
  caller: Caller,
  { organization, source: _, plan, outcome, ...row }: TranslationRow
): Translation => ({
  object: plan === null ? "translation-settings" : "translation",
  ...row,
  ...(plan === null
    ? {}
    : {
        source: plan.source,
        language: plan.language,
        instructions: plan.instructions,
        ...(outcome ?? noOutcome)
      }),
  permissions: {
    view: isAtLeast(caller.role, organizationActions.listTranslations),
    edit: isAtLeast(caller.role, organizationActions.create)
  },
  urls: { location: `${base}/v1/orgs/${organization}/translations/${row.id}` }
})

/** Translation settings are visible to members who see the space that is translated, because reports of runs have its text. */
const makeVisibility = Effect.gen(function* () {
  const access = yield* Access

  /** Fails with `NotFound` of `noun` unless the caller can see a space, and it is in the organization. */
  const requireVisible = (space: SpaceId, organization: OrganizationId, noun: Noun) =>
    access.space(space, "view").pipe(
      Effect.catchTags({
        NotFound: () => NotFound.of(noun),
        Conflict: () => NotFound.of(noun),
        Gone: () => NotFound.of(noun)
      }),
      Effect.filterOrFail(
        (found) => found.space.organization === organization,
        () => NotFound.of(noun)
      )
    )

  /** Returns the condition that settings match if the caller can see them. */
  const whereVisible = (records: GrantedReader, caller: Caller) =>
    Effect.map(access.whereVisible(caller), (visible) =>
      Where.or<TranslationRow>(
        Where.isNull("source"),
        records.inSelect<TranslationRow, "source", typeof spaces, "id">(
          "source",
          spaces,
          "id",
          Where.and<SpaceRow>(
            Where.eq("organization", caller.organization),
            Where.isNull("deletedAt"),
            visible
          )
        )
      )
    )

  return { requireVisible, whereVisible }
})

const makeAllowTranslation = Effect.gen(function* () {
  const { allow } = yield* Operations
  const { requireVisible } = yield* makeVisibility

  /** Authorizes `organization.<action>` on translation settings of the organization. */
  const allowTranslation = (
    action: OrganizationAction
  ): Authorization<
    { readonly organization: OrganizationId; readonly translation: TranslationId },
    { readonly caller: Caller; readonly translation: TranslationRow },
    AccessError
  > => {
    const allowOrganization = allow.organization(action)
    const load = allow.loading(
      allowOrganization,
      (records, target: { readonly organization: OrganizationId; readonly translation: TranslationId }) =>
        records.get(translations, { id: target.translation })
    )
    return {
      rule: allowOrganization.rule,
      check: Effect.fnUntraced(function* (target) {
        const [{ caller, grant }, translation] = yield* load(target)
        if (translation?.organization !== target.organization) {
          return yield* NotFound.of("translation settings")
        }
        const { source, organization } = translation
        if (source !== null) yield* requireVisible(source, organization, "translation settings")
        return { grant, caller, translation }
      })
    }
  }

  return { allowTranslation }
})

const makeReading = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { whereVisible } = yield* makeVisibility
  const { allowTranslation } = yield* makeAllowTranslation

  return {
    list: query(
      "Translations.list",
      {
        parameters: { organization: OrganizationId, input: PageQuery },
        authorize: allow.organization("listTranslations")
      },
      function* ({ organization, input }, { caller, records }) {
        return yield* readPage(records, input, {
          table: translations,
          list: ["translations", organization],
          where: Where.and<TranslationRow>(
            Where.eq("organization", organization),
            yield* whereVisible(records, caller)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) =>
            Effect.map(linkBase, (base) => rows.map((row) => presentTranslation(base, caller, row)))
        })
      }
    ),

    get: query(
      "Translations.get",
      {
        parameters: { organization: OrganizationId, translation: TranslationId },
        authorize: allowTranslation("listTranslations")
      },
      function* (_, { caller, translation }) {
        return presentTranslation(yield* linkBase, caller, translation)
      }
    )
  }
})

const makeWriting = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const { requireVisible } = yield* makeVisibility
  const { allowTranslation } = yield* makeAllowTranslation

  return {
    create: command(
      "Translations.create",
      {
        parameters: { organization: OrganizationId, input: CreateTranslation },
        authorize: allow.organization("create"),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const { source, language, instructions = noInstructions, target } = input
        if (source !== undefined) yield* requireVisible(source.space, organization, "space")
        const time = yield* now
        const plan =
          source === undefined || language === undefined
            ? null
            : { source, language, instructions, ...(target === undefined ? {} : { target: target.space }) }
        const row: TranslationRow = {
          id: TranslationId.make(yield* ids.next),
          organization,
          title: input.title ?? languageName(plan?.language ?? ""),
          languages: plan === null ? defaultLanguages : [plan.source.language, plan.language],
          createdAt: time,
          updatedAt: time,
          source: plan?.source.space ?? null,
          plan,
          outcome: null
        }
        yield* records.insert(translations, row)
        return presentTranslation(yield* linkBase, caller, row)
      }
    ),

    update: command(
      "Translations.update",
      {
        parameters: { organization: OrganizationId, translation: TranslationId, input: UpdateTranslation },
        authorize: allowTranslation("create"),
        locks: Locks.organization
      },
      function* ({ input: { title = "", instructions } }, { caller, translation, records }) {
        const { plan } = translation
        const changes = {
          title: title === "" ? translation.title : title,
          plan: plan === null || instructions === undefined ? plan : { ...plan, instructions },
          updatedAt: yield* now
        }
        yield* records.update(translations, Where.eq("id", translation.id), changes)
        return presentTranslation(yield* linkBase, caller, { ...translation, ...changes })
      }
    ),

    remove: command(
      "Translations.remove",
      {
        parameters: { organization: OrganizationId, translation: TranslationId },
        authorize: allowTranslation("create"),
        locks: Locks.organization
      },
      function* (_, { translation, records }) {
        yield* records.remove(translations, Where.eq("id", translation.id))
      }
    )
  }
})

/** Operations on the translation settings of an organization: see {@link TranslationsOperations}. */
export class Translations extends Context.Service<Translations, TranslationsOperations>()(
  "@lectern/core/Translations"
) {
  static readonly layer: Layer.Layer<Translations, never, Operations | Access | Ids> = Layer.effect(
    Translations,
    Effect.zipWith(makeReading, makeWriting, (reading, writing) => ({ ...reading, ...writing }))
  )
}
