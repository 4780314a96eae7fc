import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { GlossaryEntry, GlossaryEntryId, OrganizationId, pageOf, UpdateGlossary } from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const path = "/orgs/:organizationId/translations-glossary" as const

/** The group of operations on glossaries. */
export const GlossaryApi = HttpApiGroup.make("glossary")
  .add(
    HttpApiEndpoint.get("listGlossaryEntries", path, {
      params: organization,
      query: page,
      success: pageOf(GlossaryEntry),
      error: reading
    }).annotateMerge(
      describe("List the entries of the glossary", "Returns the terms of the organization, newest first.")
    ),
    HttpApiEndpoint.put("updateGlossaryEntries", path, {
      params: organization,
      payload: UpdateGlossary,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Update the glossary",
        "Inserts, updates and deletes entries in their order. If one of the changes fails, none is applied."
      )
    ),
    HttpApiEndpoint.get("getGlossaryEntry", `${path}/:glossaryEntryId`, {
      params: { ...organization, glossaryEntryId: GlossaryEntryId },
      success: GlossaryEntry,
      error: reading
    }).annotateMerge(
      describe("Get an entry of the glossary", "Returns the translations of a term, by language.")
    )
  )
  .annotateMerge(describeGroup("Glossary", "The translations of the terms of an organization."))
