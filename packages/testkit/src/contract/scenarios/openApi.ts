/** OpenAPI specs are created and updated, and translation settings are managed. */

import type {
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  Page,
  Space,
  Translation
} from "@lectern/core"
import type { OpenApiSpecRawContent } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

const documentWith = (paths: object) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths })

export const openApi: ContractScenario = {
  title: "An OpenAPI spec is processed, and processed again when its source changes",
  run: async ({ ada, acme, tag, website, until }) => {
    const at = { organizationId: acme.id }
    const slug = `pets-${tag}`
    const spec = { ...at, specSlug: slug }
    const serveSpec = (paths: object) =>
      website.put("/pets.json", { type: "application/json", body: documentWith(paths) })
    const url = `${website.url}/pets.json`
    serveSpec({ "/pets": {} })
    const created = await ada.call<OpenApiSpec>("createOpenAPISpec", at, { body: { slug, source: { url } } })
    expect(created).toMatchObject({
      slug,
      sourceURL: url,
      processingState: expect.stringMatching(/pending|progress|complete/)
    })
    await ada.expectError(409, "createOpenAPISpec", at, { body: { slug, source: { url } } })
    const untilProcessed = () =>
      until(
        () => ada.call<OpenApiSpec>("getOpenAPISpecBySlug", spec),
        ({ processingState }) => processingState === "complete"
      )
    const first = await untilProcessed()
    expect(first.lastVersion).toBeDefined()

    // A changed source creates a second version.
    serveSpec({ "/pets": {}, "/owners": {} })
    await ada.call("createOrUpdateOpenAPISpecBySlug", spec, { body: { source: { url } } })
    const second = await untilProcessed()
    expect(second.lastVersion).not.toBe(first.lastVersion)
    const versions = await ada.call<Page<OpenApiSpecVersion>>("listOpenAPISpecVersions", spec)
    expect(idsOf(versions)).toEqual([second.lastVersion, first.lastVersion])
    const latest = await ada.call<OpenApiSpecVersion>("getLatestOpenAPISpecVersion", spec)
    expect(latest.id).toBe(second.lastVersion)
    const content = await ada.call<OpenApiSpecContent>("getLatestOpenAPISpecVersionContent", spec)
    const pathsOf = ({ filesystem }: OpenApiSpecContent) =>
      Object.values(filesystem).flatMap((file) => Object.keys((file as { paths?: object }).paths ?? {}))
    expect(pathsOf(content)).toEqual(["/pets", "/owners"])
    const version = { ...spec, versionId: first.lastVersion! }
    expect((await ada.call<OpenApiSpecVersion>("getOpenAPISpecVersionById", version)).id).toBe(
      first.lastVersion
    )
    const firstContent = await ada.call<OpenApiSpecContent>("getOpenAPISpecVersionContentById", version)
    expect(pathsOf(firstContent)).toEqual(["/pets"])

    // A spec can be created from text, with POST or with PUT.
    const text = documentWith({ "/toys": {} })
    await ada.call("createOpenAPISpec", at, { body: { slug: `toys-${tag}`, source: { text } } })
    const withText = { ...at, specSlug: `more-${tag}` }
    const put = await ada.call<OpenApiSpec>("createOrUpdateOpenAPISpecBySlug", withText, {
      body: { source: { text } }
    })
    expect(put.slug).toBe(`more-${tag}`)
    expect((await ada.call<Page<OpenApiSpec>>("listOpenAPISpecs", at)).count).toBe(3)
    await ada.call("deleteOpenAPISpecBySlug", withText)
    await ada.expectError(404, "getOpenAPISpecBySlug", withText)
  }
}

export const openApiDocuments: ContractScenario = {
  title: "An OpenAPI spec is public at a URL, and its document is read as text",
  requires: ["openApiSpecs"],
  run: async ({ ada, acme, tag, until }) => {
    const at = { organizationId: acme.id }
    const spec = { ...at, specSlug: `birds-${tag}` }
    const text = documentWith({ "/birds": {} })
    await ada.call("createOpenAPISpec", at, { body: { slug: spec.specSlug, source: { text } } })
    await until(
      () => ada.call<OpenApiSpec>("getOpenAPISpecBySlug", spec),
      ({ processingState }) => processingState === "complete"
    )
    const raw = await ada.call<OpenApiSpecRawContent>("getLatestOpenAPISpecVersionContentRaw", spec)
    expect(raw).toEqual({ text, format: "json" })

    // A public spec has a URL of its latest document.
    const visible = await ada.call<OpenApiSpec>("updateOpenAPISpecBySlug", spec, {
      body: { visibility: "public" }
    })
    expect(visible).toMatchObject({ visibility: "public", urls: { published: expect.any(String) } })
    const hidden = await ada.call<OpenApiSpec>("updateOpenAPISpecBySlug", spec, {
      body: { visibility: "private" }
    })
    expect(hidden.urls.published).toBeUndefined()
    await ada.call("deleteOpenAPISpecBySlug", spec)
  }
}

export const translations: ContractScenario = {
  title: "Translation settings are created, renamed and deleted",
  run: async ({ ada, acme }) => {
    const at = { organizationId: acme.id }
    const title = "European"
    const created = await ada.call<Translation>("createTranslation", at, { body: { title } })
    expect(created).toMatchObject({ title, languages: ["en"], permissions: { view: true, edit: true } })
    const asian = await ada.call<Translation>("createTranslation", at, { body: { title: "Asian" } })
    expect(idsOf(await ada.call<Page<Translation>>("listTranslations", at)).toSorted()).toEqual(
      [created.id, asian.id].toSorted()
    )
    const settings = { ...at, translationSettingsId: asian.id }
    const instructions = { object: "document", data: {}, nodes: [] }
    const renamed = await ada.call<Translation>("updateTranslation", settings, {
      body: { title: "Far Eastern", instructions }
    })
    expect(renamed.title).toBe("Far Eastern")
    const source = await ada.call<Space>("createSpace", at, { body: { title: "Translated" } })
    const french = await ada.call<Translation>("createTranslation", at, {
      body: {
        source: { space: source.id, language: "en" },
        language: "fr",
        instructions,
        target: { space: source.id }
      }
    })
    expect(french).toMatchObject({
      object: "translation",
      title: "French",
      status: "pending",
      languages: ["en", "fr"]
    })
    await ada.call("deleteTranslation", { ...at, translationSettingsId: french.id })
    expect(await ada.call<Translation>("getTranslation", settings)).toEqual(renamed)
    await ada.call("deleteTranslation", settings)
    await ada.expectError(404, "getTranslation", settings)
  }
}
