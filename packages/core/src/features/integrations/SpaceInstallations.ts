/** Operations on the installations of integrations on spaces. */

import { type AccessError, type Command, Locks, Operations, type Query } from "@lectern/access"
import type { Ids, Records } from "@lectern/kernel"
import { spaces } from "@lectern/kernel/tables"
import type { Conflict } from "@lectern/model/errors"
import {
  InstallationId,
  InstallOnSpace,
  IntegrationName,
  ListInstallations,
  type SpaceInstallation,
  UpdateContentInstallation
} from "@lectern/model/integrations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { makeContentInstallations, type OneInstallation } from "./makeContentInstallations.ts"

interface OneSpaceInstallation extends OneInstallation {
  readonly space: SpaceId
}

/**
 * Operations on the installations of an integration on spaces, on behalf of the `CurrentUser`. They are parts of an
 * installation for an organization, and visible to the administrators of the owner of the integration and of the
 * organization. Operations on others fail with `NotFound`.
 */
export interface SpaceInstallationsOperations {
  /** Lists the spaces that the integration is installed on, as parts of the installation. */
  readonly list: Query<OneInstallation & { input?: PageQuery }, Page<SpaceInstallation>, AccessError>
  /** Lists the installations of the integration on spaces that the caller can see. */
  readonly listOfIntegration: Query<
    { integration: IntegrationName; input?: ListInstallations },
    Page<SpaceInstallation>,
    AccessError
  >
  /**
   * Installs the integration on a space of the organization of the installation. Requires the role `admin` there. Fails with
   * `Conflict` if it is installed already, or if the integration has another target.
   */
  readonly create: Command<
    OneInstallation & { input: InstallOnSpace },
    SpaceInstallation,
    AccessError | Conflict
  >
  /** Returns the installation on the space. */
  readonly get: Query<OneSpaceInstallation, SpaceInstallation, AccessError>
  /**
   * Updates the given fields. Values of the configuration are merged into the stored ones; null removes a value. Fails
   * with `InvalidInput` if a value does not match the property that the integration declares, and with `Conflict` if the
   * configuration would have more than 100 values.
   */
  readonly update: Command<
    OneSpaceInstallation & { input?: UpdateContentInstallation },
    SpaceInstallation,
    AccessError | Conflict
  >
  /** Removes the installation from the space. Requires the role `admin` in its organization. */
  readonly remove: Command<OneSpaceInstallation, void, AccessError>
}

const one = { integration: IntegrationName, installation: InstallationId }
const onSpace = { ...one, space: SpaceId }

const makeSpaceInstallations = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const { allow, allowContent, ...installed } = yield* makeContentInstallations(
    "space",
    (common, { content }): SpaceInstallation => ({ ...common, space: SpaceId.make(content) })
  )
  const contentOf = ({ space }: OneSpaceInstallation) => space

  return {
    list: query(
      "SpaceInstallations.list",
      { parameters: { ...one, input: PageQuery }, authorize: allow.installation("view") },
      function* ({ input }, given) {
        return yield* installed.list(given, input)
      }
    ),

    listOfIntegration: query(
      "SpaceInstallations.listOfIntegration",
      {
        parameters: { integration: IntegrationName, input: ListInstallations },
        authorize: allow.integration("view")
      },
      function* ({ input }, given) {
        return yield* installed.listOfIntegration(given, input)
      }
    ),

    create: command(
      "SpaceInstallations.create",
      {
        parameters: { ...one, input: InstallOnSpace },
        authorize: allow.installation("install"),
        locks: ({ integration, installation, input }, caller) =>
          Locks.integration(integration, caller, { installation, space: input.space })
      },
      function* ({ input }, given) {
        const space = yield* given.records.get(spaces, { id: input.space }, ["organization", "deletedAt"])
        return yield* installed.create(
          given,
          input.space,
          space?.deletedAt === null ? space.organization : undefined
        )
      }
    ),

    get: query(
      "SpaceInstallations.get",
      { parameters: onSpace, authorize: allowContent("view", contentOf) },
      function* (_, given) {
        return yield* installed.get(given)
      }
    ),

    update: command(
      "SpaceInstallations.update",
      {
        parameters: { ...onSpace, input: UpdateContentInstallation },
        authorize: allowContent("update", contentOf),
        locks: ({ integration, installation }, caller) =>
          Locks.integration(integration, caller, { installation })
      },
      function* ({ input }, given) {
        return yield* installed.update(given, input)
      }
    ),

    remove: command(
      "SpaceInstallations.remove",
      {
        parameters: onSpace,
        authorize: allowContent("remove", contentOf),
        locks: ({ integration, installation }, caller) =>
          Locks.integration(integration, caller, { installation })
      },
      function* (_, given) {
        yield* installed.remove(given)
      }
    )
  }
})

/** Operations on installations on spaces: see {@link SpaceInstallationsOperations}. */
export class SpaceInstallations extends Context.Service<SpaceInstallations, SpaceInstallationsOperations>()(
  "@lectern/core/SpaceInstallations"
) {
  static readonly layer: Layer.Layer<SpaceInstallations, never, Records | Operations | Ids> = Layer.effect(
    SpaceInstallations,
    makeSpaceInstallations
  )
}
