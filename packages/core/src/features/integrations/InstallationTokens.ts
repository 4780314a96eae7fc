/** Temporary API tokens with which integrations act for their installations. */

import {
  type AccessError,
  type Command,
  Locks,
  Operations,
  SystemGrant,
  withRecentSignIn
} from "@lectern/access"
import { type Ids, type Records, toTimestamp, Where } from "@lectern/kernel"
import { type ApiTokenRow, apiTokens } from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import type { InstallationToken } from "@lectern/model/integrations"
import { InstallationId, IntegrationName } from "@lectern/model/integrations"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeTokenIssuer } from "../tokens/tokenIssuer.ts"
import { integrationAuthorizations } from "./integrationAuthorizations.ts"

/** How long a token is valid, in milliseconds: an hour. */
const lifetimeMs = 60 * 60 * 1_000

/** Operations on tokens of installations, on behalf of the `CurrentUser`. */
export interface InstallationTokensOperations {
  /**
   * Creates a token of the installation, which expires after an hour. Requires the role `admin` in the organization that owns
   * the integration. The token acts for the administrator who installed the integration, in their organization, within
   * the scopes that the integration requests and requested when it was installed, and on the spaces and sites of the installation.
   * Fails with `Conflict` if the installation does not record who installed it.
   */
  readonly create: Command<
    { integration: IntegrationName; installation: InstallationId },
    InstallationToken,
    AccessError | Conflict
  >
}

const makeInstallationTokens = Effect.gen(function* () {
  const { command } = yield* Operations
  const directory = yield* SystemGrant.make(
    "Creates tokens of installations for the owner of their integration, another organization."
  )
  const { issue } = yield* makeTokenIssuer
  const allow = integrationAuthorizations(directory)

  return {
    create: command(
      "InstallationTokens.create",
      {
        parameters: { integration: IntegrationName, installation: InstallationId },
        authorize: withRecentSignIn(allow.installation("authenticate")),
        locks: ({ integration, installation }, caller) =>
          Locks.integration(integration, caller, { installation })
      },
      function* (_, { integration, installation, records }) {
        const { user, scopes } = installation
        if (user === null || scopes === null) {
          return yield* new Conflict({
            reason: "InstallationIncomplete",
            message:
              "The installation does not record who installed the integration. An administrator of its organization must update it first."
          })
        }
        const timeMs = yield* Clock.currentTimeMillis
        yield* records.remove(
          apiTokens,
          Where.and<ApiTokenRow>(
            Where.eq("installation", installation.id),
            Where.lt("expiresAt", toTimestamp(timeMs))
          )
        )
        const { secret } = yield* issue(records, {
          user,
          organization: installation.organization,
          label: `Integration ${integration.name}`.slice(0, 100),
          permissions: scopes.filter((scope) => integration.manifest.scopes.includes(scope)),
          installation: installation.id,
          expiresAt: toTimestamp(timeMs + lifetimeMs)
        })
        return { token: Redacted.value(secret) }
      }
    )
  }
})

/** Operations on tokens of installations: see {@link InstallationTokensOperations}. */
export class InstallationTokens extends Context.Service<InstallationTokens, InstallationTokensOperations>()(
  "@lectern/core/InstallationTokens"
) {
  static readonly layer: Layer.Layer<InstallationTokens, never, Records | Operations | Ids> = Layer.effect(
    InstallationTokens,
    makeInstallationTokens
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
