/** Operations on the OpenID Connect providers of an organization. */

import {
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  type Query,
  SystemGrant,
  withSignInSettings
} from "@lectern/access"
import {
  Encryption,
  Ids,
  makeLinkBase,
  now,
  PublicUrl,
  type Records,
  readPage,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  clientSecretPlace,
  isActiveOidcProvider,
  type OidcProviderRow,
  type OidcSubjectRow,
  oidcProviders,
  oidcSubjects,
  organizations
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import {
  CreateOidcProvider,
  type OidcProvider,
  OidcProviderId,
  UpdateOidcProvider
} from "@lectern/model/oidc"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { presentDefaultTeams, requireTeams } from "../organizations/defaultTeams.ts"
import { endLogins } from "../sessions/endSessions.ts"
import { oidcServiceOf } from "./OidcProviders.ts"

interface OneProvider {
  readonly organization: OrganizationId
  readonly oidcProvider: OidcProviderId
}

/**
 * Operations on the OpenID Connect providers of an organization, on behalf of the `CurrentUser`. They require the role `admin`,
 * and fail with `NotFound` for an organization that the caller cannot see or a provider that is not in it.
 */
export interface OrganizationOidcProvidersOperations {
  /** Lists the providers of an organization, newest first. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<OidcProvider>, AccessError>
  /**
   * Creates a provider. It is active once its issuer and its client id are set. Fails with `InvalidInput` if a team is not in
   * the organization.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateOidcProvider },
    OidcProvider,
    AccessError
  >
  /** Returns the provider, without its secret. */
  readonly get: Query<OneProvider, OidcProvider, AccessError>
  /**
   * Updates the given fields. Another issuer has other users: it ends the logins of the provider, and removes the links of accounts
   * to it. Fails with `InvalidInput` if a team is not in the organization.
   */
  readonly update: Command<OneProvider & { input?: UpdateOidcProvider }, OidcProvider, AccessError>
  /** Removes the provider, and ends its logins. Users who have logged in by it remain members. */
  readonly remove: Command<OneProvider, void, AccessError>
}

/** The fields with teams, for errors. */
const teamsOf = ({ defaultTeam, groups = [] }: UpdateOidcProvider) => [
  ["defaultTeam", defaultTeam] as const,
  ...groups.map(({ team }, index) => [`groups.${index}.team`, team] as const)
]

const makeProviderAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const administrate = allow.organization("administrate")

  const load = allow.loading(administrate, (records, { organization, oidcProvider }: OneProvider) =>
    records.get(oidcProviders, { organization, id: oidcProvider })
  )

  const allowAdministrators: Authorization<
    OneProvider,
    { readonly caller: Caller; readonly row: OidcProviderRow },
    AccessError
  > = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ caller, grant }, row] = yield* load(target)
      return row === undefined ? yield* NotFound.of("OpenID Connect provider") : { grant, caller, row }
    })
  }

  return { administrate, allowAdministrators }
})

const makePresenters = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase
  const publicUrl = yield* PublicUrl

  const presentProviders = Effect.fnUntraced(function* (
    records: GrantedReader,
    caller: Caller,
    rows: ReadonlyArray<OidcProviderRow>
  ): Effect.fn.Return<ReadonlyArray<OidcProvider>, StorageUnavailable> {
    const teams = yield* presentDefaultTeams(records, caller, rows)
    const base = yield* linkBase
    return rows.map((row): OidcProvider => {
      const team = row.defaultTeam === null ? undefined : teams.get(row.defaultTeam)
      return {
        object: "oidc-provider",
        id: row.id,
        label: row.label,
        ...(row.issuer === null ? {} : { issuer: row.issuer }),
        ...(row.clientID === null ? {} : { clientID: row.clientID }),
        hasClientSecret: row.clientSecret !== null,
        domains: row.domains,
        groupsClaim: row.groupsClaim ?? "groups",
        groups: row.groups,
        ...(team === undefined ? {} : { defaultTeam: team }),
        defaultRole: row.defaultRole,
        createdAt: row.createdAt,
        status: isActiveOidcProvider(row) ? "active" : "pending",
        service: oidcServiceOf(publicUrl, row.id),
        urls: { location: `${base}/v1/orgs/${row.organization}/oidc/${row.id}` }
      }
    })
  })

  const presentProvider = (records: GrantedReader, caller: Caller, row: OidcProviderRow) =>
    Effect.map(presentProviders(records, caller, [row]), ([provider]) => provider!)

  return { presentProviders, presentProvider }
})

const makeReads = Effect.gen(function* () {
  const { query } = yield* Operations
  const { administrate, allowAdministrators } = yield* makeProviderAccess
  const { presentProviders, presentProvider } = yield* makePresenters

  return {
    list: query(
      "OrganizationOidcProviders.list",
      { parameters: { organization: OrganizationId, input: PageQuery }, authorize: administrate },
      function* ({ organization, input }, { caller, records }) {
        return yield* readPage(records, input, {
          table: oidcProviders,
          list: ["OpenID Connect providers", organization],
          where: Where.eq<OidcProviderRow, "organization">("organization", organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentProviders(records, caller, rows)
        })
      }
    ),

    get: query(
      "OrganizationOidcProviders.get",
      {
        parameters: { organization: OrganizationId, oidcProvider: OidcProviderId },
        authorize: allowAdministrators
      },
      function* (_, { caller, row, records }) {
        return yield* presentProvider(records, caller, row)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const ids = yield* Ids
  const encryption = yield* Encryption
  const accounts = yield* SystemGrant.make("Removes the links of accounts to users of a provider.")
  const { administrate, allowAdministrators } = yield* makeProviderAccess
  const { presentProvider } = yield* makePresenters

  /** Ends the logins by a provider, and removes the links of accounts to its users. */
  const endAllLogins = (records: GrantedRecords, provider: OidcProviderId) =>
    Effect.andThen(
      endLogins(records, provider),
      accounts.records.remove(oidcSubjects, Where.eq<OidcSubjectRow, "provider">("provider", provider))
    )

  const encryptSecret = (id: OidcProviderId, secret: string | null) =>
    secret === null ? Effect.succeed(null) : encryption.encrypt(secret, clientSecretPlace(id))

  return {
    create: command(
      "OrganizationOidcProviders.create",
      {
        parameters: { organization: OrganizationId, input: CreateOidcProvider },
        authorize: withSignInSettings(administrate),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const owner = yield* records.get(organizations, { id: organization }, ["defaultRole"])
        yield* requireTeams(records, organization, teamsOf(input))
        const id = OidcProviderId.make(yield* ids.next)
        const row: OidcProviderRow = {
          organization,
          id,
          label: input.label,
          issuer: input.issuer ?? null,
          clientID: input.clientID ?? null,
          clientSecret: yield* encryptSecret(id, input.clientSecret ?? null),
          domains: input.domains ?? [],
          groupsClaim: input.groupsClaim ?? null,
          groups: input.groups ?? [],
          defaultTeam: input.defaultTeam ?? null,
          defaultRole: input.defaultRole === undefined ? owner!.defaultRole : input.defaultRole,
          createdAt: yield* now
        }
        yield* records.insert(oidcProviders, row)
        return yield* presentProvider(records, caller, row)
      }
    ),

    update: command(
      "OrganizationOidcProviders.update",
      {
        parameters: { organization: OrganizationId, oidcProvider: OidcProviderId, input: UpdateOidcProvider },
        authorize: withSignInSettings(allowAdministrators),
        locks: Locks.organization
      },
      function* ({ organization, oidcProvider: provider, input }, { caller, row, records }) {
        yield* requireTeams(records, organization, teamsOf(input))
        const { clientSecret, ...fields } = input
        const changes: Partial<OidcProviderRow> =
          clientSecret === undefined
            ? fields
            : { ...fields, clientSecret: yield* encryptSecret(provider, clientSecret) }
        if (fields.issuer !== undefined && row.issuer !== null && fields.issuer !== row.issuer) {
          yield* endAllLogins(records, provider)
        }
        yield* records.update(oidcProviders, Where.eq("id", provider), changes)
        return yield* presentProvider(records, caller, { ...row, ...changes })
      }
    ),

    remove: command(
      "OrganizationOidcProviders.remove",
      {
        parameters: { organization: OrganizationId, oidcProvider: OidcProviderId },
        authorize: withSignInSettings(allowAdministrators),
        locks: Locks.organization
      },
      function* ({ oidcProvider: provider }, { records }) {
        yield* endAllLogins(records, provider)
        yield* records.remove(oidcProviders, Where.eq("id", provider))
      }
    )
  }
})

const makeOrganizationOidcProviders = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeEdits) }
})

/** Operations on the OpenID Connect providers of an organization: see {@link OrganizationOidcProvidersOperations}. */
export class OrganizationOidcProviders extends Context.Service<
  OrganizationOidcProviders,
  OrganizationOidcProvidersOperations
>()("@lectern/core/OrganizationOidcProviders") {
  static readonly layer: Layer.Layer<
    OrganizationOidcProviders,
    never,
    Records | Operations | Ids | Encryption
  > = Layer.effect(OrganizationOidcProviders, makeOrganizationOidcProviders)
}
