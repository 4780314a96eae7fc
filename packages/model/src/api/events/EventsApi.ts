import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { EventList, ListEvents, OrganizationId } from "../../index.ts"
import { retained } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

/** The group of operations on events. */
export const EventsApi = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("listEvents", "/orgs/:organizationId/events", {
      params: { organizationId: OrganizationId },
      query: {
        after: ListEvents.fields.after,
        types: ListEvents.fields.types,
        limit: ListEvents.fields.limit
      },
      success: EventList,
      error: retained
    }).annotateMerge(
      describe(
        "List events",
        "Returns the changes of the organization's resources, in the order of their commits. To follow them, request this list again with the returned cursor, or request `/orgs/{organizationId}/events/stream`, which sends server-sent events."
      )
    )
  )
  .annotateMerge(describeGroup("Events", "The changes of the resources of an organization."))
