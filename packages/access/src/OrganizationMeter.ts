/** Observes the organizations on whose resources requests act. */

import type { OrganizationId } from "@lectern/model/organizations"
import { Context, type Effect } from "effect"

/**
 * Runs before each authorization in an organization, for example to limit the rate of its requests. It cannot fail: to reject
 * a request, it interrupts it, so that the errors of operations do not depend on how they are called. By default, it is
 * undefined.
 */
export const OrganizationMeter = Context.Reference<
  ((organization: OrganizationId) => Effect.Effect<void>) | undefined
>("@lectern/core/OrganizationMeter", { defaultValue: () => undefined })
