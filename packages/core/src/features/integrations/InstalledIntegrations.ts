/** Lists of the integrations that are installed for an organization, or that apply to a space or a site. */

import {
  type AccessError,
  CurrentUser,
  type GrantedReader,
  Operations,
  type Query,
  SystemGrant,
  type TargetError
} from "@lectern/access"
import { makeLinkBase, type Records, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ContentInstallationRow,
  contentInstallations,
  type InstallationRow,
  type IntegrationRow,
  installations,
  integrations
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import {
  type BlocksOfIntegration,
  type InstallationWithIntegration,
  type InstalledIntegration,
  type Integration,
  IntegrationName,
  ListInstallationStatuses,
  ListInstalled,
  type StatusOfInstallation
} from "@lectern/model/integrations"
import { OrganizationId } from "@lectern/model/organizations"
import { folded, maximumLimit, type Page } from "@lectern/model/schema"
import { SiteId } from "@lectern/model/sites"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { statusOf } from "./configuration.ts"
import { presentInstallations } from "./InstallationView.ts"
import { listableOrganizations, membershipsOf, presentIntegrations } from "./IntegrationView.ts"

interface OfSpace {
  readonly space: SpaceId
}

interface OfSite {
  readonly organization: OrganizationId
  readonly site: SiteId
}

/**
 * Operations on the integrations that are in use, on behalf of the `CurrentUser`. An integration applies to a space or a site if it is
 * installed for all of them, or on this one. Guests do not see private integrations.
 */
export interface InstalledIntegrationsOperations {
  /** Lists the installations of the organization, newest first. Requires the role `admin`. */
  readonly listInstallations: Query<
    { organization: OrganizationId; input?: ListInstalled },
    Page<InstallationWithIntegration>,
    AccessError
  >
  /**
   * Lists the installed integrations of the organization with their statuses, newest first. With a `target`, it lists the installations
   * on single spaces or sites, so that an integration has an entry for each. Requires the role `read`.
   */
  readonly listStatuses: Query<
    { organization: OrganizationId; input?: ListInstallationStatuses },
    Page<InstalledIntegration>,
    AccessError
  >
  /** Returns the status of the installation for the organization. Fails with `NotFound` if it is not installed. */
  readonly getStatus: Query<
    { organization: OrganizationId; integration: IntegrationName },
    StatusOfInstallation,
    AccessError
  >
  /** Lists the integrations that apply to the site, newest first. */
  readonly listOfSite: Query<OfSite & { input?: ListInstalled }, Page<Integration>, AccessError>
  /** Lists the integrations that apply to the space, newest first. */
  readonly listOfSpace: Query<OfSpace & { input?: ListInstalled }, Page<Integration>, TargetError>
  /** Lists the blocks of the integrations that apply to the space: of at most 1,000, the newest. */
  readonly listBlocks: Query<OfSpace, ReadonlyArray<BlocksOfIntegration>, TargetError>
}

const matches = (search: string | undefined): Where.Where<IntegrationRow> =>
  search === undefined ? Where.all : Where.contains("folded", folded(search))

/** Matches the integrations that are installed for all spaces or sites of the organization, or on this one. */
const whereApplies = (
  records: GrantedReader,
  organization: OrganizationId,
  selection: "spaceSelection" | "siteSelection",
  content: string
): Where.Where<IntegrationRow> =>
  Where.or<IntegrationRow>(
    records.inSelect(
      "id",
      installations,
      "integration",
      Where.and<InstallationRow>(Where.eq("organization", organization), Where.eq(selection, "all"))
    ),
    records.inSelect(
      "id",
      contentInstallations,
      "integration",
      Where.and<ContentInstallationRow>(Where.eq("organization", organization), Where.eq("content", content))
    )
  )

/** Loads the integrations of installations, by their ids. */
const loadIntegrations = (
  records: GrantedReader,
  rows: ReadonlyArray<{ readonly integration: string }>
): Effect.Effect<ReadonlyMap<string, IntegrationRow>, StorageUnavailable> =>
  rows.length === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        records.find(integrations, {
          where: Where.isIn<IntegrationRow, "id">("id", [
            ...new Set(rows.map(({ integration }) => integration))
          ])
        }),
        (found) => new Map(found.map((row) => [row.id, row]))
      )

/** Matches the integrations that apply to the space and that the caller can see. */
const whereOfSpace = Effect.fnUntraced(function* (
  records: GrantedReader,
  { id, organization }: { readonly id: SpaceId; readonly organization: OrganizationId }
) {
  const memberships = yield* membershipsOf(records, yield* CurrentUser)
  return Where.and<IntegrationRow>(
    whereApplies(records, organization, "spaceSelection", id),
    listableOrganizations(memberships).includes(organization)
      ? Where.all
      : Where.not<IntegrationRow>(Where.eq("visibility", "private"))
  )
})

const makeDirectory = Effect.gen(function* () {
  const directory = yield* SystemGrant.make(
    "Shows the installed integrations of other organizations to the organization that installed them."
  )

  const linkBase = yield* makeLinkBase

  /** Converts integrations to resources for the caller. */
  const present = Effect.fnUntraced(function* (records: GrantedReader, rows: ReadonlyArray<IntegrationRow>) {
    const memberships = yield* membershipsOf(records, yield* CurrentUser)
    return yield* presentIntegrations(records, yield* linkBase, memberships, rows)
  })

  /** Pairs each installation with its integration. */
  const withIntegrations = Effect.fnUntraced(function* <Row extends { readonly integration: string }, A>(
    records: GrantedReader,
    user: CurrentUser["Service"],
    rows: ReadonlyArray<Row>,
    pair: (row: Row, integration: IntegrationRow, presented: Integration) => A
  ) {
    const byId = yield* loadIntegrations(records, rows)
    const found = [...byId.values()]
    const presented = yield* Effect.provideService(present(records, found), CurrentUser, user)
    const resources = new Map(found.map(({ id }, index) => [id, presented[index]!]))
    return rows.map((row) => pair(row, byId.get(row.integration)!, resources.get(row.integration)!))
  })

  const readIntegrations = Effect.fnUntraced(function* (
    records: GrantedReader,
    { search, ...page }: ListInstalled,
    list: ReadonlyArray<string>,
    where: Where.Where<IntegrationRow>
  ) {
    const user = yield* CurrentUser
    return yield* readPage(records, page, {
      table: integrations,
      list: [...list, search],
      where: Where.and<IntegrationRow>(where, matches(search)),
      orderBy: ["id"],
      direction: "desc",
      present: (rows) => Effect.provideService(present(records, rows), CurrentUser, user)
    })
  })

  return { directory, withIntegrations, readIntegrations }
})

const makeInstallationLists = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { directory, withIntegrations } = yield* makeDirectory

  return {
    listInstallations: query(
      "InstalledIntegrations.listInstallations",
      {
        parameters: { organization: OrganizationId, input: ListInstalled },
        authorize: allow.organization("administrate")
      },
      function* ({ organization, input: { search, ...page } }, { records: own }) {
        const records = own.with(directory.grant)
        const base = yield* linkBase
        const user = yield* CurrentUser
        return yield* readPage(records, page, {
          table: installations,
          list: ["installations of organization", organization, search],
          where: Where.and<InstallationRow>(
            Where.eq("organization", organization),
            search === undefined
              ? Where.all
              : records.inSelect("integration", integrations, "id", matches(search))
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) =>
            Effect.gen(function* () {
              const pairs = yield* withIntegrations(records, user, rows, ({ id }, row, integration) => ({
                id,
                row,
                integration
              }))
              const byId = new Map(pairs.map(({ id, row }) => [id, row]))
              const presented = yield* presentInstallations(records, base, ({ id }) => byId.get(id)!, rows)
              return presented.map((installation, index) => ({
                installation,
                integration: pairs[index]!.integration
              }))
            })
        })
      }
    )
  }
})

const makeStatuses = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const { directory, withIntegrations } = yield* makeDirectory

  return {
    listStatuses: query(
      "InstalledIntegrations.listStatuses",
      {
        parameters: { organization: OrganizationId, input: ListInstallationStatuses },
        authorize: allow.organization("listMembers")
      },
      function* ({ organization, input: { target = "organization", ...page } }, { records: own }) {
        const records = own.with(directory.grant)
        const user = yield* CurrentUser
        const list = ["statuses of installations", organization, target]
        const direction = "desc"
        if (target === "organization") {
          return yield* readPage(records, page, {
            table: installations,
            list,
            where: Where.eq<InstallationRow, "organization">("organization", organization),
            orderBy: ["id"],
            direction,
            present: (rows) =>
              withIntegrations(records, user, rows, ({ configuration }, row, integration) => ({
                status: statusOf(row, "account", configuration),
                integration,
                target: { type: "organization", organizationId: organization } as const
              }))
          })
        }
        return yield* readPage(records, page, {
          table: contentInstallations,
          list,
          where: Where.and<ContentInstallationRow>(
            Where.eq("organization", organization),
            Where.eq("kind", target)
          ),
          orderBy: ["installation", "content"],
          direction,
          present: (rows) =>
            withIntegrations(records, user, rows, ({ configuration, content }, row, integration) => ({
              status: statusOf(row, target, configuration),
              integration,
              target:
                target === "space"
                  ? { type: "space" as const, spaceId: SpaceId.make(content) }
                  : { type: "site" as const, siteId: SiteId.make(content) }
            }))
        })
      }
    ),

    getStatus: query(
      "InstalledIntegrations.getStatus",
      {
        parameters: { organization: OrganizationId, integration: IntegrationName },
        authorize: allow.organization("listMembers")
      },
      function* ({ organization, integration: name }, { records: own }) {
        const records = own.with(directory.grant)
        const integration = yield* records.first(integrations, { where: Where.eq("name", name) })
        if (integration === undefined) return yield* NotFound.of("installation")
        const installation = yield* records.first(installations, {
          where: Where.and<InstallationRow>(
            Where.eq("integration", integration.id),
            Where.eq("organization", organization)
          )
        })
        if (installation === undefined) return yield* NotFound.of("installation")
        return { status: statusOf(integration, "account", installation.configuration) }
      }
    )
  }
})

const makeContentLists = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const { directory, readIntegrations } = yield* makeDirectory

  return {
    listOfSite: query(
      "InstalledIntegrations.listOfSite",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: ListInstalled },
        authorize: allow.site("view")
      },
      function* ({ organization, site, input }, { records: own }) {
        const records = own.with(directory.grant)
        return yield* readIntegrations(
          records,
          input,
          ["integrations of site", site],
          whereApplies(records, organization, "siteSelection", site)
        )
      }
    ),

    listOfSpace: query(
      "InstalledIntegrations.listOfSpace",
      { parameters: { space: SpaceId, input: ListInstalled }, authorize: allow.space("view") },
      function* ({ input }, { space, records: own }) {
        const records = own.with(directory.grant)
        const where = yield* whereOfSpace(records, space)
        return yield* readIntegrations(records, input, ["integrations of space", space.id], where)
      }
    ),

    listBlocks: query(
      "InstalledIntegrations.listBlocks",
      { parameters: { space: SpaceId }, authorize: allow.space("view") },
      function* (_, { space, records: own }) {
        const records = own.with(directory.grant)
        const rows = yield* records.find(integrations, {
          where: Where.and<IntegrationRow>(yield* whereOfSpace(records, space), Where.eq("hasBlocks", true)),
          orderBy: ["id"],
          direction: "desc",
          limit: maximumLimit
        })
        return rows.map(({ name, manifest }) => ({ name, blocks: manifest.blocks ?? [] }))
      }
    )
  }
})

const makeInstalledIntegrations = Effect.gen(function* () {
  return { ...(yield* makeInstallationLists), ...(yield* makeStatuses), ...(yield* makeContentLists) }
})

/** Lists of integrations in use: see {@link InstalledIntegrationsOperations}. */
export class InstalledIntegrations extends Context.Service<
  InstalledIntegrations,
  InstalledIntegrationsOperations
>()("@lectern/core/InstalledIntegrations") {
  static readonly layer: Layer.Layer<InstalledIntegrations, never, Records | Operations> = Layer.effect(
    InstalledIntegrations,
    makeInstalledIntegrations
  )
}
