/** Event handlers that end the access of integrations whose owner is in the trash. */

import { SystemGrant } from "@lectern/access"
import { type Records, type Subscription, subscribeToEvent, Where } from "@lectern/kernel"
import {
  type ApiTokenRow,
  apiTokens,
  type InstallationRow,
  type IntegrationRow,
  installations,
  integrations,
  OrganizationTrashed
} from "@lectern/kernel/tables"
import { Effect } from "effect"

/**
 * Removes the tokens of the installations of an organization's integrations when it moves to the trash. They are valid for an hour at most, and an
 * integration creates new ones after a restoration.
 */
export const integrationSubscriptions: Effect.Effect<
  ReadonlyArray<Subscription>,
  never,
  Records
> = Effect.map(
  SystemGrant.make("Ends the access of integrations whose owner is in the trash to other organizations."),
  ({ records }) => [
    subscribeToEvent(OrganizationTrashed, ({ organization }) => {
      const owned = records.inSelect<InstallationRow, "integration", typeof integrations, "id">(
        "integration",
        integrations,
        "id",
        Where.eq<IntegrationRow, "organization">("organization", organization)
      )
      return Effect.asVoid(
        records.remove(
          apiTokens,
          records.inSelect<ApiTokenRow, "installation", typeof installations, "id">(
            "installation",
            installations,
            "id",
            owned
          )
        )
      )
    })
  ]
)
