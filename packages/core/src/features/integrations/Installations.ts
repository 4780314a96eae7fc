/** Operations on the installations of integrations. */

import {
  type AccessError,
  type Command,
  CurrentUser,
  type GrantedReader,
  Locks,
  Operations,
  type Query,
  requireGrantableScopes,
  SystemGrant
} from "@lectern/access"
import {
  encodeMember,
  encodeSet,
  Ids,
  makeLinkBase,
  now,
  type Records,
  readPage,
  Where
} from "@lectern/kernel"
import { type InstallationRow, type IntegrationRow, installations } from "@lectern/kernel/tables"
import { Conflict, NotFound } from "@lectern/model/errors"
import {
  Install,
  type Installation,
  InstallationId,
  IntegrationName,
  ListInstallations,
  UpdateInstallation
} from "@lectern/model/integrations"
import type { Page } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { hasChanged, mergeConfiguration, statusOf } from "./configuration.ts"
import { presentInstallations } from "./InstallationView.ts"
import { isAdministrator } from "./IntegrationView.ts"
import {
  integrationAuthorizations,
  type Memberships,
  noteConcerns,
  requireAdministrator
} from "./integrationAuthorizations.ts"
import { makeIntegrationEventWriter } from "./integrationEventWriter.ts"

/**
 * Operations on the installations of an integration, on behalf of the `CurrentUser`. An installation is visible to the
 * administrators of two organizations: the owner of the integration, and the organization that installed it. Operations on
 * other installations fail with `NotFound`.
 */
export interface InstallationsOperations {
  /** Lists the installations of the integration that the caller can see, newest first. */
  readonly list: Query<
    { integration: IntegrationName; input?: ListInstallations },
    Page<Installation>,
    AccessError
  >
  /**
   * Installs the integration for an organization and returns the installation. Requires the role `admin` in the
   * organization. Fails with `Conflict` if the organization has installed it already.
   */
  readonly create: Command<
    { integration: IntegrationName; input: Install },
    Installation,
    AccessError | Conflict
  >
  /** Returns the installation. Fails with `NotFound` if the caller cannot see it. */
  readonly get: Query<
    { integration: IntegrationName; installation: InstallationId },
    Installation,
    AccessError
  >
  /**
   * Updates the given fields. Values of the configuration are merged into the stored ones; null removes a value. Fails
   * with `Forbidden` for a selection of spaces or sites unless the caller is an administrator of the organization that
   * installed the integration, without a token of the installation; with `InvalidInput` if a value does not match the property that
   * the integration declares, and with `Conflict` if the configuration would have more than 100 values.
   */
  readonly update: Command<
    { integration: IntegrationName; installation: InstallationId; input?: UpdateInstallation },
    Installation,
    AccessError | Conflict
  >
  /** Permanently removes the installation. Requires the role `admin` in the organization that installed it. */
  readonly remove: Command<{ integration: IntegrationName; installation: InstallationId }, void, AccessError>
}

/**
 * The administrator whom tokens of an installation act for, and its scopes: recorded when it is installed. For an older
 * installation, they are recorded when an administrator of its organization updates it.
 */
const consentTo = (integration: IntegrationRow, memberships: Memberships, installation: InstallationRow) =>
  installation.user === null && isAdministrator(memberships.get(installation.organization))
    ? Effect.andThen(
        requireGrantableScopes(integration.manifest.scopes),
        Effect.map(CurrentUser, ({ id }) => ({ user: id, scopes: integration.manifest.scopes }))
      )
    : Effect.succeed({ user: installation.user, scopes: installation.scopes })

/** The state of an installation in the events of its integration. */
const stateOf = (integration: IntegrationRow, { configuration }: InstallationRow) => ({
  status: statusOf(integration, "account", configuration),
  configuration
})

const makeAllow = Effect.gen(function* () {
  const directory = yield* SystemGrant.make(
    "Shows installations to the owner of their integration, another organization."
  )

  const allow = integrationAuthorizations(directory)

  return { allow }
})

const makePresenters = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase

  const toInstallations = (
    records: GrantedReader,
    integration: IntegrationRow,
    rows: ReadonlyArray<InstallationRow>
  ) => Effect.flatMap(linkBase, (base) => presentInstallations(records, base, () => integration, rows))

  const toInstallation = (records: GrantedReader, integration: IntegrationRow, row: InstallationRow) =>
    Effect.map(toInstallations(records, integration, [row]), (presented) => presented[0]!)

  return { toInstallations, toInstallation }
})

const makeReads = Effect.gen(function* () {
  const { query } = yield* Operations
  const { allow } = yield* makeAllow
  const { toInstallations, toInstallation } = yield* makePresenters

  return {
    list: query(
      "Installations.list",
      {
        parameters: { integration: IntegrationName, input: ListInstallations },
        authorize: allow.integration("view")
      },
      function* ({ input }, { integration, memberships, records }) {
        const administrated = [...memberships.values()]
          .filter(isAdministrator)
          .map(({ organization }) => organization)
        return yield* readPage(records, input, {
          table: installations,
          list: ["installations", integration.id, input.externalId],
          where: Where.and<InstallationRow>(
            Where.eq("integration", integration.id),
            isAdministrator(memberships.get(integration.organization))
              ? Where.all
              : Where.isIn("organization", administrated),
            input.externalId === undefined
              ? Where.all
              : Where.contains("externalIds", encodeMember(input.externalId))
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => toInstallations(records, integration, rows)
        })
      }
    ),

    get: query(
      "Installations.get",
      {
        parameters: { integration: IntegrationName, installation: InstallationId },
        authorize: allow.installation("view")
      },
      function* (_, { integration, installation, records }) {
        return yield* toInstallation(records, integration, installation)
      }
    )
  }
})

const makeCreation = Effect.gen(function* () {
  const { command } = yield* Operations
  const ids = yield* Ids
  const writeEvents = yield* makeIntegrationEventWriter
  const { allow } = yield* makeAllow
  const { toInstallation } = yield* makePresenters

  return {
    create: command(
      "Installations.create",
      {
        parameters: { integration: IntegrationName, input: Install },
        authorize: allow.integration("install"),
        locks: ({ integration }, caller) => Locks.integration(integration, caller)
      },
      function* ({ input: { organization } }, { integration, isOffered, memberships, records }) {
        const user = yield* CurrentUser
        const member = memberships.get(organization)
        if (member === undefined) return yield* NotFound.of("organization")
        yield* noteConcerns(memberships, [organization])
        yield* requireAdministrator(member, "that installs the integration")
        // Only the owner of a private integration can install it. One whose owner is in the trash cannot be installed.
        if (
          !isOffered ||
          (integration.visibility === "private" && integration.organization !== organization)
        ) {
          return yield* NotFound.of("integration")
        }
        yield* requireGrantableScopes(integration.manifest.scopes)
        const time = yield* now
        const row: InstallationRow = {
          id: InstallationId.make(yield* ids.next),
          integration: integration.id,
          organization,
          user: user.id,
          scopes: integration.manifest.scopes,
          spaceSelection: "all",
          siteSelection: "all",
          configuration: {},
          externalIds: encodeSet([]),
          createdAt: time,
          updatedAt: time
        }
        yield* records.tryInsert(installations, row).pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(
              new Conflict({
                reason: "AlreadyInstalled",
                message:
                  "The organization has installed the integration already. Update the existing installation."
              })
            )
          )
        )
        yield* writeEvents(records, [
          {
            integration,
            organization,
            type: "installation_setup",
            fields: { installationId: row.id, status: statusOf(integration, "account", {}) }
          }
        ])
        return yield* toInstallation(records, integration, row)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const writeEvents = yield* makeIntegrationEventWriter
  const { allow } = yield* makeAllow
  const { toInstallation } = yield* makePresenters

  return {
    update: command(
      "Installations.update",
      {
        parameters: {
          integration: IntegrationName,
          installation: InstallationId,
          input: UpdateInstallation
        },
        authorize: allow.installation("update", "install"),
        locks: ({ integration, installation }, caller) =>
          Locks.integration(integration, caller, { installation })
      },
      function* ({ input }, { integration, installation, memberships, records, requireInstaller }) {
        if (input.space_selection !== undefined || input.site_selection !== undefined) {
          yield* requireInstaller
          yield* requireGrantableScopes(installation.scopes ?? integration.manifest.scopes)
        }
        const configuration = yield* mergeConfiguration(
          integration,
          "account",
          installation.configuration,
          input.configuration ?? {}
        )
        const changes = {
          configuration,
          externalIds:
            input.externalIds === undefined
              ? installation.externalIds
              : encodeSet(new Set(input.externalIds)),
          ...(yield* consentTo(integration, memberships, installation)),
          spaceSelection: input.space_selection ?? installation.spaceSelection,
          siteSelection: input.site_selection ?? installation.siteSelection
        }
        if (!hasChanged(installation, changes))
          return yield* toInstallation(records, integration, installation)
        const updated = { ...installation, ...changes, updatedAt: yield* now }
        yield* records.update(installations, Where.eq("id", installation.id), {
          ...changes,
          updatedAt: updated.updatedAt
        })
        yield* writeEvents(records, [
          {
            integration,
            organization: installation.organization,
            type: "installation_setup",
            fields: {
              installationId: installation.id,
              status: statusOf(integration, "account", configuration),
              previous: stateOf(integration, installation)
            }
          }
        ])
        return yield* toInstallation(records, integration, updated)
      }
    ),

    remove: command(
      "Installations.remove",
      {
        parameters: { integration: IntegrationName, installation: InstallationId },
        authorize: allow.installation("remove"),
        locks: ({ integration, installation }, caller) =>
          Locks.integration(integration, caller, { installation })
      },
      function* (_, { integration, installation, records }) {
        yield* records.remove(installations, Where.eq("id", installation.id))
        yield* writeEvents(records, [
          {
            integration,
            organization: installation.organization,
            type: "installation_deleted",
            fields: {
              installationId: installation.id,
              previous: { configuration: installation.configuration }
            }
          }
        ])
      }
    )
  }
})

const makeInstallations = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeCreation), ...(yield* makeEdits) }
})

/** Operations on installations: see {@link InstallationsOperations}. */
export class Installations extends Context.Service<Installations, InstallationsOperations>()(
  "@lectern/core/Installations"
) {
  static readonly layer: Layer.Layer<Installations, never, Records | Operations | Ids> = Layer.effect(
    Installations,
    makeInstallations
  )
}
