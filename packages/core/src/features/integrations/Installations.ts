/** What callers do with the installations of integrations. */
import { Context, Effect, Layer } from "effect"
import { Conflict, Forbidden, InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { lineOf, linesOf } from "../../kernel/storage/textSet.ts"
import { now } from "../../kernel/time.ts"
import {
  Install,
  type Installation,
  InstallationId,
  type InstallationRow,
  installations,
  ListInstallations,
  UpdateInstallation
} from "../../model/integrations/Installation.ts"
import { IntegrationName, type IntegrationRow } from "../../model/integrations/Integration.ts"
import type { MemberRow } from "../../model/organizations/Member.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { administrates, assetsPath } from "./IntegrationView.ts"
import { loadVisible } from "./visibleIntegration.ts"

/** What an integration wants to know of an organization, by name. */
const propertiesOf = ({ manifest }: IntegrationRow) => {
  const account = manifest.configurations?.account
  return account !== undefined && "properties" in account
    ? account
    : { properties: {} as Record<string, never>, required: [] }
}

/** Whether all that the integration has to know is said. */
const isConfigured = (integration: IntegrationRow, { configuration }: InstallationRow): boolean => {
  const { required = [] } = propertiesOf(integration)
  return required.every((name) => Object.hasOwn(configuration, name) && configuration[name] !== null)
}

const externalIdsOf = (lines: string): ReadonlyArray<string> =>
  lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as string]))

type Memberships = ReadonlyMap<OrganizationId, MemberRow>

const makeInstallations = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const load = (name: IntegrationName) => loadVisible(records, name)

  /** Who may know of an installation: those who administrate the integration's owner, or where it is installed. */
  const sees = (
    integration: IntegrationRow,
    memberships: Memberships,
    organization: OrganizationId
  ): boolean =>
    administrates(memberships.get(integration.organization)) || administrates(memberships.get(organization))

  const find = Effect.fnUntraced(function* (name: IntegrationName, id: InstallationId) {
    const { integration, memberships } = yield* load(name)
    const row = yield* records.get(installations, { id })
    if (row?.integration !== integration.id || !sees(integration, memberships, row.organization)) {
      return yield* NotFound.of("installation")
    }
    return { integration, memberships, row }
  })

  const present = Effect.fnUntraced(function* (
    integration: IntegrationRow,
    rows: ReadonlyArray<InstallationRow>
  ): Effect.fn.Return<ReadonlyArray<Installation>, StorageUnavailable> {
    const everywhere = rows.filter(({ spaceSelection }) => spaceSelection === "all")
    const counts =
      everywhere.length === 0
        ? new Map()
        : yield* records.countBy(
            spaces,
            "organization",
            Where.and<SpaceRow>(
              Where.isIn(
                "organization",
                everywhere.map(({ organization }) => organization)
              ),
              Where.isNull("deletedAt")
            )
          )
    return rows.map((row) => ({
      id: row.id,
      status: isConfigured(integration, row) ? "active" : "pending",
      space_selection: row.spaceSelection,
      site_selection: row.siteSelection,
      spaces: row.spaceSelection === "all" ? (counts.get(row.organization) ?? 0) : 0,
      configuration: row.configuration,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      urls: {
        location: `${base}/v1/integrations/${integration.name}/installations/${row.id}`,
        app: `${base}/o/${row.organization}/integrations/${integration.name}`,
        publicEndpoint: `${base}${assetsPath}${integration.name}/endpoint/${row.id}`
      },
      externalIds: externalIdsOf(row.externalIds),
      target: { organization: row.organization }
    }))
  })

  const presentOne = (integration: IntegrationRow, row: InstallationRow) =>
    Effect.map(present(integration, [row]), ([one]) => one!)

  /** Values have to be of the kinds that the integration says. */
  const checkValues = (
    integration: IntegrationRow,
    values: Readonly<Record<string, unknown>>
  ): Effect.Effect<void, InvalidInput> => {
    const { properties } = propertiesOf(integration)
    const wrong = Object.entries(values).flatMap(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (property === undefined || value === null || property.type === "button") return []
      if (typeof value !== property.type) {
        return [{ path: `configuration.${name}`, message: `must be a ${property.type}` }]
      }
      const isAllowed = property.enum === undefined || property.enum.includes(String(value))
      return isAllowed
        ? []
        : [{ path: `configuration.${name}`, message: `must be ${property.enum!.join(" or ")}` }]
    })
    return wrong.length === 0 ? Effect.void : Effect.fail(InvalidInput.of(wrong))
  }

  return {
    /**
     * The installations of an integration, newest first: all of them for those who administrate its owner, for others
     * those of the organizations that they administrate.
     */
    list: query([IntegrationName, ListInstallations], function* (name, input) {
      const { integration, memberships } = yield* load(name)
      const theirs = [...memberships.values()].filter(administrates).map(({ organization }) => organization)
      return yield* readPage(records, input, {
        table: installations,
        list: ["installations", integration.id, input.externalId],
        where: Where.and<InstallationRow>(
          Where.eq("integration", integration.id),
          administrates(memberships.get(integration.organization))
            ? Where.all
            : Where.isIn("organization", theirs),
          input.externalId === undefined ? Where.all : Where.contains("externalIds", lineOf(input.externalId))
        ),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => present(integration, rows)
      })
    }),

    /** Installs an integration for an organization that the caller administrates. */
    create: change([IntegrationName, Install], function* (name, { organization }) {
      const { integration, memberships } = yield* load(name)
      const member = memberships.get(organization)
      if (member === undefined) return yield* NotFound.of("organization")
      if (!administrates(member)) {
        return yield* new Forbidden({
          message: "To install integrations one has to administrate the organization."
        })
      }
      // One that is private is for its owner alone.
      if (integration.visibility === "private" && integration.organization !== organization) {
        return yield* NotFound.of("integration")
      }
      const time = yield* now
      const row: InstallationRow = {
        id: InstallationId.make(yield* ids.next),
        integration: integration.id,
        organization,
        spaceSelection: "all",
        siteSelection: "all",
        configuration: {},
        externalIds: linesOf([]),
        createdAt: time,
        updatedAt: time
      }
      yield* records
        .tryInsert(installations, row)
        .pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(
              new Conflict({ message: "The integration is installed in the organization already." })
            )
          )
        )
      return yield* presentOne(integration, row)
    }),

    /** The installation. */
    get: query([IntegrationName, InstallationId], function* (name, id) {
      const { integration, row } = yield* find(name, id)
      return yield* presentOne(integration, row)
    }),

    /** Changes what is given. Values of the configuration are put beside those that are there; null takes one away. */
    update: change([IntegrationName, InstallationId, UpdateInstallation], function* (name, id, input) {
      const { integration, row } = yield* find(name, id)
      const given = input.configuration ?? {}
      yield* checkValues(integration, given)
      const merged = { ...row.configuration, ...given }
      const changes = {
        configuration: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)),
        externalIds: input.externalIds === undefined ? row.externalIds : linesOf(new Set(input.externalIds)),
        spaceSelection: input.space_selection ?? row.spaceSelection,
        siteSelection: input.site_selection ?? row.siteSelection,
        updatedAt: yield* now
      }
      yield* records.update(installations, Where.eq("id", id), changes)
      return yield* presentOne(integration, { ...row, ...changes })
    }),

    /** Takes the integration away from where it is installed. */
    remove: change([IntegrationName, InstallationId], function* (name, id) {
      const { memberships, row } = yield* find(name, id)
      if (!administrates(memberships.get(row.organization))) {
        return yield* new Forbidden({
          message: "To uninstall integrations one has to administrate the organization."
        })
      }
      yield* records.remove(installations, Where.eq("id", id))
    })
  }
})

/** See the module's comment. */
export class Installations extends Context.Service<Installations, Effect.Success<typeof makeInstallations>>()(
  "@lectern/core/Installations"
) {
  static readonly layer: Layer.Layer<Installations, never, Records | Ids> = Layer.effect(
    Installations,
    makeInstallations
  )
}
