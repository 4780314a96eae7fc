/** The routes of labels for `@lectern/client/fetch`, the client without Effect and without schemas. */
import { featureRoutes } from "@lectern/client/fetch"
// A type: the declaration, and Effect with it, is not in the bundle.
import type { LabelsApi } from "./LabelsApi.ts"

/** `createClient({ features: [labelRoutes] })` has `client.labels`. */
export const labelRoutes = featureRoutes<typeof LabelsApi>("labels", {
  listLabels: "GET /spaces/:spaceId/labels",
  addLabel: "POST* /spaces/:spaceId/labels",
  removeLabel: "DELETE /spaces/:spaceId/labels/:label"
})
