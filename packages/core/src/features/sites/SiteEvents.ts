/** The operation that counts events of published sites. */

import { OrganizationId } from "@lectern/model/organizations"
import { SiteId, TrackSiteEvents } from "@lectern/model/sites"
import { Context, Effect, Layer, Metric } from "effect"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { Operation } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import type { Records, StorageUnavailable } from "../../kernel/storage/index.ts"

/** The operation that counts events of published sites. */
export interface SiteEventsOperations {
  /**
   * Counts the events that pages of a site report, by type, in the metric `lectern_site_events`. Nothing is stored. It
   * runs without a user, and succeeds for every id, so that it does not reveal which sites exist.
   */
  readonly track: Operation<
    { organization: OrganizationId; site: SiteId; input: TrackSiteEvents },
    void,
    StorageUnavailable,
    never
  >
}

const siteEvents = Metric.counter("lectern_site_events", {
  description: "The number of events that pages of published sites have reported, by type.",
  incremental: true
})

const makeSiteEvents = Effect.gen(function* () {
  const { query } = yield* Operations
  const { grant } = yield* SystemGrant.make("Counts events of published sites, which reads no rows.")
  return {
    track: query(
      "SiteEvents.track",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: TrackSiteEvents },
        authorize: {
          rule: { kind: "visitor", why: "counts events of pages, and returns nothing" },
          check: () => Effect.succeed({ grant })
        }
      },
      function* ({ input: { events } }) {
        for (const { type } of events) {
          yield* Metric.update(Metric.withAttributes(siteEvents, { type }), 1)
        }
      }
    )
  }
})

/** The operation that counts events of published sites: see {@link SiteEventsOperations}. */
export class SiteEvents extends Context.Service<SiteEvents, SiteEventsOperations>()(
  "@lectern/core/SiteEvents"
) {
  static readonly layer: Layer.Layer<SiteEvents, never, Records | Operations> = Layer.effect(
    SiteEvents,
    makeSiteEvents
  )
}
