/** The features of a workspace: the one list from which its services, tables, checks and jobs are derived. */

import { type AnyFeature, type AnyResourceEvents, type InOrder, userServiceTagsOf } from "@lectern/kernel"
import { auditFeature } from "../features/audit/feature.ts"
import { changeRequestsFeature } from "../features/change-requests/feature.ts"
import { collectionsFeature } from "../features/collections/feature.ts"
import { commentsFeature } from "../features/comments/feature.ts"
import { contentFeature } from "../features/content/feature.ts"
import { eventsFeature } from "../features/events/feature.ts"
import { exportsFeature } from "../features/exports/feature.ts"
import { gitFeature } from "../features/git/feature.ts"
import { idempotencyFeature } from "../features/idempotency/feature.ts"
import { importsFeature } from "../features/imports/feature.ts"
import { integrationsFeature } from "../features/integrations/feature.ts"
import { linksFeature } from "../features/links/feature.ts"
import { mailFeature } from "../features/mail/feature.ts"
import { notificationsFeature } from "../features/notifications/feature.ts"
import { oidcFeature } from "../features/oidc/feature.ts"
import { openApiSpecsFeature } from "../features/openapi-specs/feature.ts"
import { organizationsFeature } from "../features/organizations/feature.ts"
import { passkeysFeature } from "../features/passkeys/feature.ts"
import { pdfFeature } from "../features/pdf/feature.ts"
import { permissionsFeature } from "../features/permissions/feature.ts"
import { placesFeature } from "../features/places/feature.ts"
import { presenceFeature } from "../features/presence/feature.ts"
import { programsFeature } from "../features/programs/feature.ts"
import { provisioningFeature } from "../features/provisioning/feature.ts"
import { reviewsFeature } from "../features/reviews/feature.ts"
import { samlFeature } from "../features/saml/feature.ts"
import { searchFeature } from "../features/search/feature.ts"
import { sessionsFeature } from "../features/sessions/feature.ts"
import { sitesFeature } from "../features/sites/feature.ts"
import { spacesFeature } from "../features/spaces/feature.ts"
import { tokensFeature } from "../features/tokens/feature.ts"
import { translationsFeature } from "../features/translations/feature.ts"
import { uploadsFeature } from "../features/uploads/feature.ts"
import { usersFeature } from "../features/users/feature.ts"
import { webhooksFeature } from "../features/webhooks/feature.ts"
import { type FoundationServices, foundationTables } from "./foundations.ts"

/** Lists features. A feature that requires services of a later one does not compile. */
const inOrder = <const Features extends ReadonlyArray<AnyFeature>>(
  features: Features & InOrder<Features, FoundationServices>
): Features => features

const list = inOrder([
  usersFeature,
  tokensFeature,
  mailFeature,
  sessionsFeature,
  idempotencyFeature,
  organizationsFeature,
  samlFeature,
  oidcFeature,
  provisioningFeature,
  passkeysFeature,
  programsFeature,
  permissionsFeature,
  collectionsFeature,
  spacesFeature,
  contentFeature,
  changeRequestsFeature,
  commentsFeature,
  presenceFeature,
  reviewsFeature,
  sitesFeature,
  translationsFeature,
  integrationsFeature,
  openApiSpecsFeature,
  searchFeature,
  placesFeature,
  notificationsFeature,
  linksFeature,
  pdfFeature,
  uploadsFeature,
  importsFeature,
  exportsFeature,
  gitFeature,
  eventsFeature,
  webhooksFeature,
  auditFeature
])

/** Every feature, each after the features whose services it requires. */
export const features: ReadonlyArray<AnyFeature> = list

/** The declarations of events of all features. */
export type WorkspaceEvents = (typeof list)[number]["events"][number]

/** The declarations of the events of a workspace, for references and projections. */
export const workspaceEvents: ReadonlyArray<AnyResourceEvents> = list.flatMap(({ events }) => [...events])

/** The services that act for a user, by the names that hosts use. */
export const userServices = userServiceTagsOf(list)

/** A name that a feature declares, with the kind of the named thing. */
type Declared = readonly [feature: string, what: string, name: string]

const namesOf = (feature: AnyFeature): ReadonlyArray<Declared> => [
  [feature.name, "name", feature.name],
  ...feature.tables.map((table): Declared => [feature.name, "table", table.name]),
  ...Object.keys(feature.userServices).map((service): Declared => [feature.name, "service", service])
]

/** Throws a `TypeError` if two features share a name, or the name of a table or of a service. */
export const requireDistinctNames = (features: ReadonlyArray<AnyFeature>): void => {
  const owners = new Map<string, string>([
    ...foundationTables.map((table): [string, string] => [`table ${table.name}`, "workspace"]),
    // `workspace.as(user).transaction` is not a service.
    ["service transaction", "workspace"]
  ])
  for (const [feature, what, name] of features.flatMap(namesOf)) {
    const owner = owners.get(`${what} ${name}`)
    if (owner !== undefined) {
      throw new TypeError(
        `The feature "${feature}" has the ${what} "${name}", which the feature "${owner}" has already.`
      )
    }
    owners.set(`${what} ${name}`, feature)
  }
}
