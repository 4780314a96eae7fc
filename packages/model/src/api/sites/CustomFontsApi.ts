import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateCustomFont,
  CustomFont,
  CustomFontId,
  OrganizationId,
  pageOf,
  UpdateCustomFont
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const font = { ...organization, fontId: CustomFontId }
const path = "/orgs/:organizationId/fonts" as const

/** The group of operations on the fonts of organizations. */
export const CustomFontsApi = HttpApiGroup.make("customFonts")
  .add(
    HttpApiEndpoint.get("listCustomFonts", path, {
      params: organization,
      query: page,
      success: pageOf(CustomFont),
      error: reading
    }).annotateMerge(describe("List fonts", "Returns the fonts of the organization, newest first.")),
    HttpApiEndpoint.put("createCustomFont", path, {
      params: organization,
      payload: CreateCustomFont,
      success: created(CustomFont),
      error: changing
    }).annotateMerge(
      describe(
        "Create a font",
        "Creates a font from uploaded files of the kind `customization_font`. The files must be WOFF2 or WOFF fonts, which their first bytes determine, of together at most 10 MiB. An organization has at most 50 fonts."
      )
    ),
    HttpApiEndpoint.get("getCustomFont", `${path}/:fontId`, {
      params: font,
      success: CustomFont,
      error: reading
    }).annotateMerge(describe("Get a font", "Returns the font with the URLs of its files.")),
    HttpApiEndpoint.post("updateCustomFont", `${path}/:fontId`, {
      params: font,
      payload: UpdateCustomFont,
      success: created(CustomFont),
      error: editing
    }).annotateMerge(
      describe(
        "Update a font",
        "Renames the font, and adds, replaces and removes font faces by their weights. Sites that use it change with it."
      )
    ),
    HttpApiEndpoint.delete("deleteCustomFont", `${path}/:fontId`, {
      params: font,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe("Delete a font", "Deletes the font with its files. Sites that use it have the default font.")
    )
  )
  .annotateMerge(describeGroup("Fonts", "Fonts that an organization uploads for its sites."))
