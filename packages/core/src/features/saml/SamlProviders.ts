/** What callers do with the SAML providers of an organization (decision D13). */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import { InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { OrganizationId, organizations } from "../../model/organizations/Organization.ts"
import { type TeamId, teams } from "../../model/organizations/Team.ts"
import {
  CreateSamlProvider,
  type SamlProvider,
  SamlProviderId,
  type SamlProviderRow,
  type SsoLogin,
  samlProviders,
  UpdateSamlProvider
} from "../../model/saml/SamlProvider.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import { isCertificate } from "./certificate.ts"
import { serviceOf } from "./serviceAddresses.ts"

/** Whether people can log in by a provider with these settings. */
export const isActive = ({
  entityID,
  certificate,
  ssoURL
}: Pick<SamlProviderRow, "entityID" | "certificate" | "ssoURL">): Effect.Effect<boolean> =>
  entityID === null || certificate === null || ssoURL === null
    ? Effect.succeed(false)
    : isCertificate(certificate)

const makeSamlProviders = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const present = Effect.fnUntraced(function* (
    caller: Caller,
    rows: ReadonlyArray<SamlProviderRow>
  ): Effect.fn.Return<ReadonlyArray<SamlProvider>, StorageUnavailable> {
    const named = rows.flatMap(({ defaultTeam }) => (defaultTeam === null ? [] : [defaultTeam]))
    const found =
      named.length === 0 ? [] : yield* records.find(teams, { where: Where.isIn("id", [...new Set(named)]) })
    const shown = new Map((yield* presentTeams(records, caller, found)).map((team) => [team.id, team]))
    return rows.map((row) => {
      const team = row.defaultTeam === null ? undefined : shown.get(row.defaultTeam)
      return {
        object: "saml-provider",
        id: row.id,
        label: row.label,
        ...(row.ssoURL === null ? {} : { ssoURL: row.ssoURL }),
        ...(row.entityID === null ? {} : { entityID: row.entityID }),
        ...(row.certificate === null ? {} : { certificate: row.certificate }),
        ...(team === undefined ? {} : { defaultTeam: team }),
        defaultRole: row.defaultRole,
        createdAt: row.createdAt,
        status: row.isActive ? "active" : "pending",
        service: serviceOf(base, row.id),
        urls: { location: `${base}/v1/orgs/${row.organization}/saml/${row.id}` }
      }
    })
  })

  const presentOne = (caller: Caller, row: SamlProviderRow) =>
    Effect.map(present(caller, [row]), ([provider]) => provider!)

  const load = Effect.fnUntraced(function* (organization: OrganizationId, id: SamlProviderId) {
    const [caller, row] = yield* records.both(
      access.organization(organization, "administrate"),
      records.get(samlProviders, { id })
    )
    if (row?.organization !== organization) return yield* NotFound.of("SAML provider")
    return { caller, row }
  })

  const demandTeam = Effect.fnUntraced(function* (
    organization: OrganizationId,
    id: TeamId | undefined
  ): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
    if (id === undefined) return
    const team = yield* records.get(teams, { id }, ["organization"])
    if (team?.organization !== organization) {
      return yield* InvalidInput.at("defaultTeam", "is no team of the organization")
    }
  })

  return {
    /** The SAML providers of an organization, newest first. */
    list: query([OrganizationId, PageQuery], function* (organization, page) {
      const caller = yield* access.organization(organization, "administrate")
      return yield* readPage(records, page, {
        table: samlProviders,
        list: ["SAML providers", organization],
        where: Where.eq<SamlProviderRow, "organization">("organization", organization),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => present(caller, rows)
      })
    }),

    /** Makes a SAML provider. It can be used once all that it needs is set. */
    create: change([OrganizationId, CreateSamlProvider], function* (organization, input) {
      const caller = yield* access.organization(organization, "administrate")
      const owner = yield* records.get(organizations, { id: organization }, ["defaultRole"])
      yield* demandTeam(organization, input.defaultTeam)
      const settings: SamlProviderRow = {
        id: SamlProviderId.make(yield* ids.next),
        organization,
        label: input.label,
        entityID: input.entityID ?? null,
        certificate: input.certificate ?? null,
        ssoURL: input.ssoURL ?? null,
        defaultTeam: input.defaultTeam ?? null,
        defaultRole: input.defaultRole === undefined ? owner!.defaultRole : input.defaultRole,
        isActive: false,
        createdAt: yield* now
      }
      const row = { ...settings, isActive: yield* isActive(settings) }
      yield* records.insert(samlProviders, row)
      return yield* presentOne(caller, row)
    }),

    /** The SAML provider. */
    get: query([OrganizationId, SamlProviderId], function* (organization, id) {
      const { caller, row } = yield* load(organization, id)
      return yield* presentOne(caller, row)
    }),

    /** Changes what is given. */
    update: change([OrganizationId, SamlProviderId, UpdateSamlProvider], function* (organization, id, input) {
      const { caller, row } = yield* load(organization, id)
      yield* demandTeam(organization, input.defaultTeam)
      const settings = { ...row, ...input }
      const after = { ...settings, isActive: yield* isActive(settings) }
      yield* records.update(samlProviders, Where.eq("id", id), { ...input, isActive: after.isActive })
      return yield* presentOne(caller, after)
    }),

    /** Removes the provider. Nobody logs in by it any more; who did stays. */
    remove: change([OrganizationId, SamlProviderId], function* (organization, id) {
      yield* load(organization, id)
      yield* records.remove(samlProviders, Where.eq("id", id))
    }),

    /** Where the members of an organization log in: its active providers, newest first. */
    logins: query([OrganizationId], function* (organization) {
      yield* access.organization(organization, "signOn")
      const rows = yield* records.find(samlProviders, {
        where: Where.and<SamlProviderRow>(Where.eq("organization", organization), Where.eq("isActive", true)),
        orderBy: ["id"],
        direction: "desc"
      })
      const items = rows.map(
        ({ id, label }): SsoLogin => ({ id, label, startURL: serviceOf(base, id).startURL })
      )
      return { items }
    })
  }
})

/** See the module's comment. */
export class SamlProviders extends Context.Service<SamlProviders, Effect.Success<typeof makeSamlProviders>>()(
  "@lectern/core/SamlProviders"
) {
  static readonly layer: Layer.Layer<SamlProviders, never, Records | Access | Ids> = Layer.effect(
    SamlProviders,
    makeSamlProviders
  )
}
