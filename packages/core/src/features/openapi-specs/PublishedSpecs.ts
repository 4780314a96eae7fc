/** The port by which visitors of published sites read OpenAPI specs. The content of the site determines which. */

import type { CurrentUser, Granted } from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import type { SpecRow } from "@lectern/kernel/tables"
import type { NotFound } from "@lectern/model/errors"
import type { SpecSlug } from "@lectern/model/openapi-specs"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteVisitor } from "@lectern/model/sites"
import { Context, type Effect } from "effect"

/** Admits visitors to the OpenAPI specs that their site displays. */
export class PublishedSpecs extends Context.Service<
  PublishedSpecs,
  {
    /**
     * Returns a spec that the site of the current visitor displays to them. Fails with `NotFound` if the site does not admit
     * the visitor, or if no page that they can see refers to the spec.
     */
    readonly admit: (
      visitor: SiteVisitor | "anonymous",
      target: { readonly organization: OrganizationId; readonly slug: SpecSlug }
    ) => Effect.Effect<{ readonly spec: SpecRow } & Granted, NotFound | StorageUnavailable, CurrentUser>
  }
>()("@lectern/core/PublishedSpecs") {}
