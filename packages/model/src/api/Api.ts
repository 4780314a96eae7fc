/** Combines the endpoints of all features to the API. */
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as audit from "./audit/feature.ts"
import * as changeRequests from "./change-requests/feature.ts"
import * as collections from "./collections/feature.ts"
import * as comments from "./comments/feature.ts"
import * as content from "./content/feature.ts"
import * as events from "./events/feature.ts"
import * as exports from "./exports/feature.ts"
import * as git from "./git/feature.ts"
import * as imports from "./imports/feature.ts"
import * as integrations from "./integrations/feature.ts"
import * as links from "./links/feature.ts"
import * as notifications from "./notifications/feature.ts"
import * as oidc from "./oidc/feature.ts"
import * as openApiSpecs from "./openapi-specs/feature.ts"
import * as organizations from "./organizations/feature.ts"
import * as pdf from "./pdf/feature.ts"
import * as permissions from "./permissions/feature.ts"
import * as places from "./places/feature.ts"
import * as presence from "./presence/feature.ts"
import * as programs from "./programs/feature.ts"
import * as reviews from "./reviews/feature.ts"
import * as saml from "./saml/feature.ts"
import * as search from "./search/feature.ts"
import * as sessions from "./sessions/feature.ts"
import * as sites from "./sites/feature.ts"
import * as spaces from "./spaces/feature.ts"
import * as tokens from "./tokens/feature.ts"
import * as translations from "./translations/feature.ts"
import * as uploads from "./uploads/feature.ts"
import * as users from "./users/feature.ts"
import * as webhooks from "./webhooks/feature.ts"

/** Every feature with its groups of endpoints, in the order of the OpenAPI document. */
const features = [
  users,
  sessions,
  tokens,
  programs,
  organizations,
  saml,
  oidc,
  permissions,
  collections,
  spaces,
  content,
  changeRequests,
  reviews,
  comments,
  presence,
  sites,
  translations,
  integrations,
  openApiSpecs,
  search,
  places,
  notifications,
  links,
  pdf,
  exports,
  git,
  uploads,
  imports,
  events,
  webhooks,
  audit
] as const

/** The groups of `Api`. A named type, so that the declaration of `Api` refers to the modules of the features. */
type Groups = (typeof features)[number]["groups"][number]

/** All groups. The assertion restores that the list is not empty, which the type of `flatMap` does not preserve. */
const groups = features.flatMap((feature): ReadonlyArray<Groups> => feature.groups) as [
  Groups,
  ...Array<Groups>
]

/** The declaration of every operation of `/v1`, from which the server, the OpenAPI document and typed clients are derived. */
export const Api: HttpApi.HttpApi<"lectern", HttpApiGroup.AddPrefix<Groups, "/v1">> = HttpApi.make("lectern")
  .add(...groups)
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({
      title: "Lectern",
      version: "1.0.0",
      description:
        "The API of a documentation workspace: organizations and members, collections and spaces of versioned content, change requests, comments and docs sites."
    })
  )
