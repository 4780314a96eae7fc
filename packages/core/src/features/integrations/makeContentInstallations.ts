/** The common part of the operations on installations of integrations on spaces and on sites. */

import {
  type Authorization,
  type CurrentUser,
  type GrantedReader,
  type GrantedRecords,
  SystemGrant
} from "@lectern/access"
import {
  decodeSet,
  encodeMember,
  encodeSet,
  makeLinkBase,
  now,
  readPage,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  type ContentInstallationRow,
  contentInstallations,
  type IntegrationRow
} from "@lectern/kernel/tables"
import { Conflict, type Forbidden, type InvalidInput, NotFound } from "@lectern/model/errors"
import type {
  ContentKind,
  InstallationId,
  IntegrationName,
  ListInstallations,
  SpaceInstallation,
  UpdateContentInstallation
} from "@lectern/model/integrations"
import type { Page, PageQuery } from "@lectern/model/schema"
import { SiteId } from "@lectern/model/sites"
import { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { hasChanged, mergeConfiguration, statusOf } from "./configuration.ts"
import { assetsPath, isAdministrator } from "./IntegrationView.ts"
import {
  integrationAuthorizations,
  type VisibleInstallation,
  type VisibleIntegration
} from "./integrationAuthorizations.ts"
import { makeIntegrationEventWriter } from "./integrationEventWriter.ts"

/** The installation for an organization that an operation names. */
export interface OneInstallation {
  readonly integration: IntegrationName
  readonly installation: InstallationId
}

/** An installation on a space or a site, with the installation that it belongs to. */
interface VisibleContentInstallation extends VisibleInstallation {
  readonly row: ContentInstallationRow
}

/** A grant whose records can be written, as the body of a command receives it. */
type Writable<Given> = Omit<Given, "grant"> & { readonly records: GrantedRecords }
type Readable<Given> = Omit<Given, "grant"> & { readonly records: GrantedReader }

/** The kind of installations, with the functions that operations on them share. */
interface OfKind<A> {
  readonly kind: ContentKind
  readonly presentAll: (
    integration: IntegrationRow,
    rows: ReadonlyArray<ContentInstallationRow>
  ) => Effect.Effect<ReadonlyArray<A>>
  readonly presentOne: (integration: IntegrationRow, row: ContentInstallationRow) => Effect.Effect<A>
  readonly writeEvents: Effect.Success<typeof makeIntegrationEventWriter>
}

const readsOf = <A>({ kind, presentAll, presentOne }: OfKind<A>) => {
  const ofKind = Where.eq<ContentInstallationRow, "kind">("kind", kind)

  return {
    list: (
      { integration, installation, records }: Readable<VisibleInstallation>,
      input: PageQuery
    ): Effect.Effect<Page<A>, InvalidInput | StorageUnavailable> =>
      readPage(records, input, {
        table: contentInstallations,
        list: [kind, installation.id],
        where: Where.and<ContentInstallationRow>(Where.eq("installation", installation.id), ofKind),
        orderBy: ["content"],
        direction: "desc",
        present: (rows) => presentAll(integration, rows)
      }),

    listOfIntegration: (
      { integration, memberships, records }: Readable<VisibleIntegration>,
      input: ListInstallations
    ): Effect.Effect<Page<A>, InvalidInput | StorageUnavailable> => {
      const administrated = [...memberships.values()]
        .filter(isAdministrator)
        .map(({ organization }) => organization)
      return readPage(records, input, {
        table: contentInstallations,
        list: [kind, "integration", integration.id, input.externalId],
        where: Where.and<ContentInstallationRow>(
          Where.eq("integration", integration.id),
          ofKind,
          isAdministrator(memberships.get(integration.organization))
            ? Where.all
            : Where.isIn("organization", administrated),
          input.externalId === undefined
            ? Where.all
            : Where.contains("externalIds", encodeMember(input.externalId))
        ),
        orderBy: ["installation", "content"],
        direction: "desc",
        present: (rows) => presentAll(integration, rows)
      })
    },

    get: ({ integration, row }: Omit<VisibleContentInstallation, "grant">): Effect.Effect<A> =>
      presentOne(integration, row)
  }
}

const keyOf = ({ installation, content }: ContentInstallationRow) =>
  Where.and<ContentInstallationRow>(Where.eq("installation", installation), Where.eq("content", content))

const subjectOf = (kind: ContentKind, { installation, content }: ContentInstallationRow) => ({
  installationId: installation,
  [`${kind}Id`]: content
})

const creationOf = <A>({ kind, presentOne, writeEvents }: OfKind<A>) => ({
  /** Installs the integration on content of an organization; undefined if the content does not exist. */
  create: Effect.fnUntraced(function* (
    { integration, installation, records }: Writable<VisibleInstallation>,
    content: string,
    organization: string | undefined
  ): Effect.fn.Return<A, Conflict | NotFound | StorageUnavailable> {
    const { target } = integration.manifest
    if (target !== "all" && target !== kind) {
      return yield* new Conflict({
        reason: "TargetNotSupported",
        message: `The target of the integration is "${target}": it cannot be installed on a ${kind}.`
      })
    }
    if (organization !== installation.organization) return yield* NotFound.of(kind)
    const time = yield* now
    const row: ContentInstallationRow = {
      installation: installation.id,
      content,
      kind,
      space: kind === "space" ? SpaceId.make(content) : null,
      site: kind === "site" ? SiteId.make(content) : null,
      integration: integration.id,
      organization: installation.organization,
      configuration: {},
      externalIds: encodeSet([]),
      createdAt: time,
      updatedAt: time
    }
    yield* records.tryInsert(contentInstallations, row).pipe(
      Effect.catchTag("UniqueViolation", () =>
        Effect.fail(
          new Conflict({
            reason: "AlreadyInstalled",
            message: `The integration is installed on the ${kind} already. Update the existing installation.`
          })
        )
      )
    )
    yield* writeEvents(records, [
      {
        integration,
        organization: row.organization,
        type: `${kind}_installation_setup`,
        fields: { ...subjectOf(kind, row), status: statusOf(integration, kind, {}) }
      }
    ])
    return yield* presentOne(integration, row)
  })
})

const changesOf = <A>({ kind, presentOne, writeEvents }: OfKind<A>) => ({
  update: Effect.fnUntraced(function* (
    { integration, row, records }: Writable<VisibleContentInstallation>,
    input: UpdateContentInstallation
  ): Effect.fn.Return<A, Conflict | InvalidInput | StorageUnavailable> {
    const configuration = yield* mergeConfiguration(
      integration,
      kind,
      row.configuration,
      input.configuration ?? {}
    )
    const changes = {
      configuration,
      externalIds: input.externalIds === undefined ? row.externalIds : encodeSet(new Set(input.externalIds))
    }
    if (!hasChanged(row, changes)) return yield* presentOne(integration, row)
    const updated = { ...row, ...changes, updatedAt: yield* now }
    yield* records.update(contentInstallations, keyOf(row), { ...changes, updatedAt: updated.updatedAt })
    yield* writeEvents(records, [
      {
        integration,
        organization: row.organization,
        type: `${kind}_installation_setup`,
        fields: {
          ...subjectOf(kind, row),
          status: statusOf(integration, kind, configuration),
          previous: {
            status: statusOf(integration, kind, row.configuration),
            configuration: row.configuration
          }
        }
      }
    ])
    return yield* presentOne(integration, updated)
  }),

  remove: Effect.fnUntraced(function* ({
    integration,
    row,
    records
  }: Writable<VisibleContentInstallation>): Effect.fn.Return<void, StorageUnavailable> {
    yield* records.remove(contentInstallations, keyOf(row))
    yield* writeEvents(records, [
      {
        integration,
        organization: row.organization,
        type: `${kind}_installation_deleted`,
        fields: { ...subjectOf(kind, row), previous: { configuration: row.configuration } }
      }
    ])
  })
})

/** Creates the authorizations and the bodies of the operations for a kind of content. `present` adds its id to the fields. */
export const makeContentInstallations = <A>(
  kind: ContentKind,
  present: (common: Omit<SpaceInstallation, "space">, row: ContentInstallationRow) => A
) =>
  Effect.gen(function* () {
    const directory = yield* SystemGrant.make(
      "Shows installations on spaces and sites to the owner of their integration, another organization."
    )
    const linkBase = yield* makeLinkBase
    const writeEvents = yield* makeIntegrationEventWriter
    const allow = integrationAuthorizations(directory)

    const presentAll = (integration: IntegrationRow, rows: ReadonlyArray<ContentInstallationRow>) =>
      Effect.map(linkBase, (base) =>
        rows.map((row) => {
          const path = `${integration.name}/installations/${row.installation}/${kind}s/${row.content}`
          const endpoint = `${base}${assetsPath}${integration.name}/endpoint/${row.installation}/${row.content}`
          return present(
            {
              integration: integration.name,
              installation: row.installation,
              status: statusOf(integration, kind, row.configuration),
              configuration: row.configuration,
              externalIds: decodeSet(row.externalIds),
              urls: {
                location: `${base}/v1/integrations/${path}`,
                publicEndpoint: endpoint,
                publicContentEndpoint: endpoint
              }
            },
            row
          )
        })
      )
    const presentOne = (integration: IntegrationRow, row: ContentInstallationRow) =>
      Effect.map(presentAll(integration, [row]), ([presented]) => presented!)
    const ofKind: OfKind<A> = { kind, presentAll, presentOne, writeEvents }

    return {
      allow,

      /** Authorizes an action on the installation, and loads the part of it on the content that the target names. */
      allowContent: <Target extends OneInstallation>(
        action: "view" | "update" | "remove",
        contentOf: (target: Target) => string
      ): Authorization<Target, VisibleContentInstallation, NotFound | Forbidden, CurrentUser> => {
        const { rule, check } = allow.installation(action)
        return {
          rule,
          check: Effect.fnUntraced(function* (target: Target) {
            const found = yield* check(target)
            const row = yield* directory.records.get(contentInstallations, {
              installation: found.installation.id,
              content: contentOf(target)
            })
            return row?.kind === kind ? { ...found, row } : yield* NotFound.of("installation")
          })
        }
      },

      ...readsOf(ofKind),
      ...creationOf(ofKind),
      ...changesOf(ofKind)
    }
  })
