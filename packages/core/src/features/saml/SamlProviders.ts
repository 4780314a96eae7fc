/** Operations on the SAML providers of an organization. */

import {
  type AccessError,
  type Authorization,
  type Caller,
  type Command,
  type GrantedReader,
  Locks,
  Operations,
  type Query,
  withSignInSettings
} from "@lectern/access"
import { Ids, makeLinkBase, now, PublicUrl, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  isActiveOidcProvider,
  type OidcProviderRow,
  oidcProviders,
  organizations,
  type SamlProviderRow,
  samlProviders
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  CreateSamlProvider,
  type SamlProvider,
  SamlProviderId,
  type SsoLogin,
  type SsoLogins,
  UpdateSamlProvider
} from "@lectern/model/saml"
import { type Page, PageQuery } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { oidcStartUrl } from "../oidc/OidcProviders.ts"
import { presentDefaultTeams, requireTeams } from "../organizations/defaultTeams.ts"
import { endLogins } from "../sessions/endSessions.ts"
import { isCertificate } from "./certificate.ts"
import { serviceOf } from "./serviceAddresses.ts"

/**
 * Operations on the SAML providers of an organization, on behalf of the `CurrentUser`. They fail with `NotFound` for an
 * organization that the caller cannot see or a provider that is not in it, and with `Forbidden` if the caller's role is
 * too low.
 */
export interface SamlProvidersOperations {
  /** Lists the SAML providers of an organization, newest first; requires the role `admin`. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<SamlProvider>, AccessError>
  /**
   * Creates a SAML provider; requires the role `admin`. It is active once its entity id, certificate and login URL are
   * set. Fails with `InvalidInput` if the default team is not in the organization.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateSamlProvider },
    SamlProvider,
    AccessError
  >
  /** Returns the SAML provider; requires the role `admin`. */
  readonly get: Query<{ organization: OrganizationId; provider: SamlProviderId }, SamlProvider, AccessError>
  /**
   * Updates the given fields; requires the role `admin`. Fails with `InvalidInput` if the default team is not in the
   * organization.
   */
  readonly update: Command<
    { organization: OrganizationId; provider: SamlProviderId; input?: UpdateSamlProvider },
    SamlProvider,
    AccessError
  >
  /**
   * Removes the SAML provider, and revokes the tokens of logins through it; requires the role `admin`. Users who have logged
   * in through it remain members.
   */
  readonly remove: Command<{ organization: OrganizationId; provider: SamlProviderId }, void, AccessError>
  /** Lists the active SAML and OpenID Connect providers through which members of the organization can log in, newest first. */
  readonly listLogins: Query<{ organization: OrganizationId }, SsoLogins, AccessError>
}

/** Whether users can log in through a provider with these settings: they are complete and the certificate is valid. */
export const isActive = ({
  entityID,
  certificate,
  ssoURL
}: Pick<SamlProviderRow, "entityID" | "certificate" | "ssoURL">): Effect.Effect<boolean> =>
  entityID === null || certificate === null || ssoURL === null
    ? Effect.succeed(false)
    : isCertificate(certificate)

const makeProviderAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const administrate = allow.organization("administrate")

  const load = allow.loading(
    administrate,
    (records, target: { readonly organization: OrganizationId; readonly provider: SamlProviderId }) =>
      records.get(samlProviders, { id: target.provider })
  )

  /** Authorizes the administrators of the organization. */
  const allowAdministrators: Authorization<
    { readonly organization: OrganizationId; readonly provider: SamlProviderId },
    { readonly caller: Caller; readonly row: SamlProviderRow },
    AccessError
  > = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ caller, grant }, row] = yield* load(target)
      if (row?.organization !== target.organization) return yield* NotFound.of("SAML provider")
      return { grant, caller, row }
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
    rows: ReadonlyArray<SamlProviderRow>
  ): Effect.fn.Return<ReadonlyArray<SamlProvider>, StorageUnavailable> {
    const teamById = yield* presentDefaultTeams(records, caller, rows)
    const base = yield* linkBase
    return rows.map((row) => {
      const team = row.defaultTeam === null ? undefined : teamById.get(row.defaultTeam)
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
        service: serviceOf(publicUrl, row.id),
        urls: { location: `${base}/v1/orgs/${row.organization}/saml/${row.id}` }
      }
    })
  })

  const presentProvider = (records: GrantedReader, caller: Caller, row: SamlProviderRow) =>
    Effect.map(presentProviders(records, caller, [row]), ([provider]) => provider!)

  return { presentProviders, presentProvider }
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const publicUrl = yield* PublicUrl
  const { administrate, allowAdministrators } = yield* makeProviderAccess
  const { presentProviders, presentProvider } = yield* makePresenters

  return {
    list: query(
      "SamlProviders.list",
      { parameters: { organization: OrganizationId, input: PageQuery }, authorize: administrate },
      function* ({ organization, input }, { caller, records }) {
        return yield* readPage(records, input, {
          table: samlProviders,
          list: ["SAML providers", organization],
          where: Where.eq<SamlProviderRow, "organization">("organization", organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentProviders(records, caller, rows)
        })
      }
    ),

    get: query(
      "SamlProviders.get",
      {
        parameters: { organization: OrganizationId, provider: SamlProviderId },
        authorize: allowAdministrators
      },
      function* (_, { caller, row, records }) {
        return yield* presentProvider(records, caller, row)
      }
    ),

    listLogins: query(
      "SamlProviders.listLogins",
      { parameters: { organization: OrganizationId }, authorize: allow.organization("signOn") },
      function* ({ organization }, { records }) {
        const [saml, oidc] = yield* records.zipConcurrent(
          records.find(samlProviders, {
            select: ["id", "label"],
            where: Where.and<SamlProviderRow>(
              Where.eq("organization", organization),
              Where.eq("isActive", true)
            )
          }),
          records.find(oidcProviders, {
            where: Where.eq<OidcProviderRow, "organization">("organization", organization)
          })
        )
        const items: ReadonlyArray<SsoLogin> = [
          ...saml.map(({ id, label }) => ({ id, label, startURL: serviceOf(publicUrl, id).startURL })),
          ...oidc
            .filter(isActiveOidcProvider)
            .map(({ id, label }) => ({ id, label, startURL: oidcStartUrl(publicUrl, id) }))
        ]
        return { items: items.toSorted((one, other) => (one.id < other.id ? 1 : -1)) }
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const ids = yield* Ids
  const { administrate, allowAdministrators } = yield* makeProviderAccess
  const { presentProvider } = yield* makePresenters

  return {
    create: command(
      "SamlProviders.create",
      {
        parameters: { organization: OrganizationId, input: CreateSamlProvider },
        authorize: withSignInSettings(administrate),
        locks: Locks.organization
      },
      function* ({ organization, input }, { caller, records }) {
        const owner = yield* records.get(organizations, { id: organization }, ["defaultRole"])
        yield* requireTeams(records, organization, [["defaultTeam", input.defaultTeam]])
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
        return yield* presentProvider(records, caller, row)
      }
    ),

    update: command(
      "SamlProviders.update",
      {
        parameters: { organization: OrganizationId, provider: SamlProviderId, input: UpdateSamlProvider },
        authorize: withSignInSettings(allowAdministrators),
        locks: Locks.organization
      },
      function* ({ organization, provider, input }, { caller, row, records }) {
        yield* requireTeams(records, organization, [["defaultTeam", input.defaultTeam]])
        const settings = { ...row, ...input }
        const after = { ...settings, isActive: yield* isActive(settings) }
        yield* records.update(samlProviders, Where.eq("id", provider), { ...input, isActive: after.isActive })
        return yield* presentProvider(records, caller, after)
      }
    ),

    remove: command(
      "SamlProviders.remove",
      {
        parameters: { organization: OrganizationId, provider: SamlProviderId },
        authorize: withSignInSettings(allowAdministrators),
        locks: Locks.organization
      },
      function* ({ provider }, { records }) {
        yield* endLogins(records, provider)
        yield* records.remove(samlProviders, Where.eq("id", provider))
      }
    )
  }
})

const makeSamlProviders = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeEdits) }
})

/** Operations on the SAML providers of an organization: see {@link SamlProvidersOperations}. */
export class SamlProviders extends Context.Service<SamlProviders, SamlProvidersOperations>()(
  "@lectern/core/SamlProviders"
) {
  static readonly layer: Layer.Layer<SamlProviders, never, Operations | Ids> = Layer.effect(
    SamlProviders,
    makeSamlProviders
  )
}
