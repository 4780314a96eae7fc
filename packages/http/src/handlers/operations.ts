/** Every operation of the API with its handler. */
import type { Api } from "@lectern/client"
import { Effect } from "effect"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { auditHandlers } from "./audit/feature.ts"
import { changeRequestsHandlers } from "./change-requests/feature.ts"
import { collectionsHandlers } from "./collections/feature.ts"
import { commentsHandlers } from "./comments/feature.ts"
import { contentHandlers } from "./content/feature.ts"
import { eventsHandlers } from "./events/feature.ts"
import { exportsHandlers } from "./exports/feature.ts"
import { gitHandlers } from "./git/feature.ts"
import { importsHandlers } from "./imports/feature.ts"
import { integrationsHandlers } from "./integrations/feature.ts"
import { linksHandlers } from "./links/feature.ts"
import { notificationsHandlers } from "./notifications/feature.ts"
import { oidcHandlers } from "./oidc/feature.ts"
import { openApiSpecsHandlers } from "./openapi-specs/feature.ts"
import { organizationsHandlers } from "./organizations/feature.ts"
import { pdfHandlers } from "./pdf/feature.ts"
import { permissionsHandlers } from "./permissions/feature.ts"
import { placesHandlers } from "./places/feature.ts"
import { presenceHandlers } from "./presence/feature.ts"
import { programsHandlers } from "./programs/feature.ts"
import { reviewsHandlers } from "./reviews/feature.ts"
import { samlHandlers } from "./saml/feature.ts"
import { searchHandlers } from "./search/feature.ts"
import { sessionsHandlers } from "./sessions/feature.ts"
import type { ServedGroup } from "./shared/Handlers.ts"
import { sitesHandlers } from "./sites/feature.ts"
import { spacesHandlers } from "./spaces/feature.ts"
import { tokensHandlers } from "./tokens/feature.ts"
import { translationsHandlers } from "./translations/feature.ts"
import { uploadsHandlers } from "./uploads/feature.ts"
import { usersHandlers } from "./users/feature.ts"
import { webhooksHandlers } from "./webhooks/feature.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

/** The handlers of every group of endpoints, by the name of the group: a group that is missing does not compile. */
type HandlersOfGroups = {
  readonly [Id in HttpApiGroup.Identifier<Groups>]: Effect.Effect<ServedGroup<Id>, never, unknown>
}

const handlers = {
  ...usersHandlers,
  ...sessionsHandlers,
  ...tokensHandlers,
  ...programsHandlers,
  ...organizationsHandlers,
  ...samlHandlers,
  ...oidcHandlers,
  ...permissionsHandlers,
  ...collectionsHandlers,
  ...spacesHandlers,
  ...contentHandlers,
  ...changeRequestsHandlers,
  ...reviewsHandlers,
  ...commentsHandlers,
  ...presenceHandlers,
  ...sitesHandlers,
  ...placesHandlers,
  ...notificationsHandlers,
  ...translationsHandlers,
  ...integrationsHandlers,
  ...openApiSpecsHandlers,
  ...searchHandlers,
  ...linksHandlers,
  ...pdfHandlers,
  ...exportsHandlers,
  ...gitHandlers,
  ...uploadsHandlers,
  ...importsHandlers,
  ...eventsHandlers,
  ...webhooksHandlers,
  ...auditHandlers
} satisfies HandlersOfGroups

/** The operations of all groups, over the services of a workspace. */
export const operations = Effect.map(Effect.all(handlers), (groups) =>
  Object.values(groups).flatMap((group) => group.operations)
)
