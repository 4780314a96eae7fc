/** Operations on the installations of integrations on sites. */

import { type AccessError, type Command, Locks, Operations, type Query } from "@lectern/access"
import type { Ids, Records } from "@lectern/kernel"
import { sites } from "@lectern/kernel/tables"
import type { Conflict } from "@lectern/model/errors"
import {
  InstallationId,
  InstallOnSite,
  IntegrationName,
  ListInstallations,
  type SiteInstallation,
  UpdateContentInstallation
} from "@lectern/model/integrations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SiteId } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { makeContentInstallations, type OneInstallation } from "./makeContentInstallations.ts"

interface OneSiteInstallation extends OneInstallation {
  readonly site: SiteId
}

/**
 * Operations on the installations of an integration on sites, on behalf of the `CurrentUser`. They are parts of an
 * installation for an organization, and visible to the administrators of the owner of the integration and of the
 * organization. Operations on others fail with `NotFound`.
 */
export interface SiteInstallationsOperations {
  /** Lists the sites that the integration is installed on, as parts of the installation. */
  readonly list: Query<OneInstallation & { input?: PageQuery }, Page<SiteInstallation>, AccessError>
  /** Lists the installations of the integration on sites that the caller can see. */
  readonly listOfIntegration: Query<
    { integration: IntegrationName; input?: ListInstallations },
    Page<SiteInstallation>,
    AccessError
  >
  /**
   * Installs the integration on a site of the organization of the installation. Requires the role `admin` there. Fails with
   * `Conflict` if it is installed already, or if the integration has another target.
   */
  readonly create: Command<
    OneInstallation & { input: InstallOnSite },
    SiteInstallation,
    AccessError | Conflict
  >
  /** Returns the installation on the site. */
  readonly get: Query<OneSiteInstallation, SiteInstallation, AccessError>
  /**
   * Updates the given fields. Values of the configuration are merged into the stored ones; null removes a value. Fails
   * with `InvalidInput` if a value does not match the property that the integration declares, and with `Conflict` if the
   * configuration would have more than 100 values.
   */
  readonly update: Command<
    OneSiteInstallation & { input?: UpdateContentInstallation },
    SiteInstallation,
    AccessError | Conflict
  >
  /** Removes the installation from the site. Requires the role `admin` in its organization. */
  readonly remove: Command<OneSiteInstallation, void, AccessError>
}

const one = { integration: IntegrationName, installation: InstallationId }
const onSite = { ...one, site: SiteId }

const makeSiteInstallations = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const { allow, allowContent, ...installed } = yield* makeContentInstallations(
    "site",
    (common, { content }): SiteInstallation => ({ ...common, site: SiteId.make(content) })
  )
  const contentOf = ({ site }: OneSiteInstallation) => site

  return {
    list: query(
      "SiteInstallations.list",
      { parameters: { ...one, input: PageQuery }, authorize: allow.installation("view") },
      function* ({ input }, given) {
        return yield* installed.list(given, input)
      }
    ),

    listOfIntegration: query(
      "SiteInstallations.listOfIntegration",
      {
        parameters: { integration: IntegrationName, input: ListInstallations },
        authorize: allow.integration("view")
      },
      function* ({ input }, given) {
        return yield* installed.listOfIntegration(given, input)
      }
    ),

    create: command(
      "SiteInstallations.create",
      {
        parameters: { ...one, input: InstallOnSite },
        authorize: allow.installation("install"),
        locks: ({ integration, installation, input }, caller) =>
          Locks.integration(integration, caller, { installation, site: input.siteId })
      },
      function* ({ input }, given) {
        const site = yield* given.records.get(sites, { id: input.siteId }, ["organization"])
        return yield* installed.create(given, input.siteId, site?.organization)
      }
    ),

    get: query(
      "SiteInstallations.get",
      { parameters: onSite, authorize: allowContent("view", contentOf) },
      function* (_, given) {
        return yield* installed.get(given)
      }
    ),

    update: command(
      "SiteInstallations.update",
      {
        parameters: { ...onSite, input: UpdateContentInstallation },
        authorize: allowContent("update", contentOf),
        locks: ({ integration, installation }, caller) =>
          Locks.integration(integration, caller, { installation })
      },
      function* ({ input }, given) {
        return yield* installed.update(given, input)
      }
    ),

    remove: command(
      "SiteInstallations.remove",
      {
        parameters: onSite,
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

/** Operations on installations on sites: see {@link SiteInstallationsOperations}. */
export class SiteInstallations extends Context.Service<SiteInstallations, SiteInstallationsOperations>()(
  "@lectern/core/SiteInstallations"
) {
  static readonly layer: Layer.Layer<SiteInstallations, never, Records | Operations | Ids> = Layer.effect(
    SiteInstallations,
    makeSiteInstallations
  )
}
