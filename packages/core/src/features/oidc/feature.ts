/** The manifest of the feature `oidc`. */
import { defineFeature } from "../../kernel/features/Feature.ts"
import { oidcSubjects } from "../../tables/oidc/oidcSubjectTable.ts"
import { OidcLogins } from "./OidcLogins.ts"

/** Logins by OpenID Connect. */
export const oidcFeature = defineFeature("oidc", {
  tables: [oidcSubjects],
  userServices: {},
  layer: OidcLogins.layer
})
