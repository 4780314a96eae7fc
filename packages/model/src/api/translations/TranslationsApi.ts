import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateTranslation,
  OrganizationId,
  pageOf,
  Translation,
  TranslationId,
  UpdateTranslation
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const translation = { ...organization, translationSettingsId: TranslationId }
const path = "/orgs/:organizationId/translations" as const

/** The group of operations on translation settings. */
export const TranslationsApi = HttpApiGroup.make("translations")
  .add(
    HttpApiEndpoint.get("listTranslations", path, {
      params: organization,
      query: page,
      success: pageOf(Translation),
      error: reading
    }).annotateMerge(
      describe(
        "List translation settings",
        "Returns the translation settings of the organization, newest first."
      )
    ),
    HttpApiEndpoint.post("createTranslation", path, {
      params: organization,
      payload: CreateTranslation,
      success: created(Translation),
      error: changing
    }).annotateMerge(
      describe(
        "Create translation settings",
        "Creates translation settings: the space to translate, and the language. A run translates it by the language model of the server."
      )
    ),
    HttpApiEndpoint.get("getTranslation", `${path}/:translationSettingsId`, {
      params: translation,
      success: Translation,
      error: reading
    }).annotateMerge(
      describe("Get translation settings", "Returns the translation settings, with the caller's permissions.")
    ),
    HttpApiEndpoint.put("updateTranslation", `${path}/:translationSettingsId`, {
      params: translation,
      payload: UpdateTranslation,
      success: Translation,
      error: editing
    }).annotateMerge(
      describe(
        "Update translation settings",
        "Changes the title and the instructions of the translation settings."
      )
    ),
    HttpApiEndpoint.delete("deleteTranslation", `${path}/:translationSettingsId`, {
      params: translation,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Delete translation settings", "Deletes the translation settings permanently."))
  )
  .annotateMerge(describeGroup("Translation settings", "The content to translate, and its target languages."))
