/** Event handlers that deactivate the webhooks of an organization in the trash. */

import { SystemGrant } from "@lectern/access"
import { type Records, type Subscription, subscribeToEvent, Where } from "@lectern/kernel"
import {
  OrganizationRestored,
  OrganizationTrashed,
  suspensions,
  type WebhookRow,
  webhooks
} from "@lectern/kernel/tables"
import { Effect } from "effect"
import { storeSuspensions, suspendedOf } from "../organizations/suspensions.ts"

/** Deactivates webhooks when their organization moves to the trash, and activates these when it is restored. */
export const webhookSubscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, Records> = Effect.map(
  SystemGrant.make("Deactivates the webhooks of organizations in the trash."),
  ({ records }) => [
    subscribeToEvent(OrganizationTrashed, ({ organization }) =>
      Effect.gen(function* () {
        const isActive = Where.and<WebhookRow>(
          Where.eq("organization", organization),
          Where.eq("active", true)
        )
        const active = yield* records.find(webhooks, { select: ["id"], where: isActive })
        yield* storeSuspensions(
          records,
          organization,
          "webhooks",
          active.map(({ id }) => id)
        )
        yield* records.update(webhooks, isActive, { active: false })
      })
    ),
    subscribeToEvent(OrganizationRestored, ({ organization }) =>
      Effect.asVoid(
        records.update(
          webhooks,
          Where.and<WebhookRow>(
            Where.eq("organization", organization),
            records.inSelect("id", suspensions, "subject", suspendedOf(organization, "webhooks"))
          ),
          { active: true }
        )
      )
    )
  ]
)
