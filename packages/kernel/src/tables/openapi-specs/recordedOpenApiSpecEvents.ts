/** The events that are recorded from changed rows. */

import { OpenApiSpecEventData, OpenApiVersionEventData } from "@lectern/model/openapi-specs"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { openApiSpecs, openApiVersions } from "./openApiSpecTables.ts"

/** The events of OpenAPI specs. */
export const openApiSpecEvents = resourceEvents("openApiSpec", "An OpenAPI specification.", openApiSpecs, {
  data: OpenApiSpecEventData
})

/** The events of versions of OpenAPI specs. */
export const openApiVersionEvents = resourceEvents(
  "openApiVersion",
  "A version of an OpenAPI specification.",
  openApiVersions,
  {
    data: OpenApiVersionEventData
  }
)
