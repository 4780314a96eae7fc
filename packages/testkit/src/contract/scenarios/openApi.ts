/** APIs are described, and their descriptions kept up to date; translations of content are set up. */
import type { OpenApiSpec, OpenApiSpecContent, OpenApiSpecVersion, Page, Translation } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./reading.ts"

const described = (paths: object) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths })

export const openApi: ContractScenario = {
  title: "The description of an API is read, and read again when it changes",
  run: async ({ ada, acme, tag, website, until }) => {
    const at = { organizationId: acme.id }
    const slug = `pets-${tag}`
    const spec = { ...at, specSlug: slug }
    const put = (paths: object) =>
      website.put("/pets.json", { type: "application/json", body: described(paths) })
    const url = `${website.url}/pets.json`
    put({ "/pets": {} })
    const made = await ada.call<OpenApiSpec>("createOpenAPISpec", at, { body: { slug, source: { url } } })
    expect(made).toMatchObject({
      slug,
      sourceURL: url,
      processingState: expect.stringMatching(/pending|progress|complete/)
    })
    await ada.refused(409, "createOpenAPISpec", at, { body: { slug, source: { url } } })
    const read = () =>
      until(
        () => ada.call<OpenApiSpec>("getOpenAPISpecBySlug", spec),
        ({ processingState }) => processingState === "complete"
      )
    const first = await read()
    expect(first.lastVersion).toBeDefined()

    // The API changes, and there is a second version.
    put({ "/pets": {}, "/owners": {} })
    await ada.call("createOrUpdateOpenAPISpecBySlug", spec, { body: { source: { url } } })
    const second = await read()
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
    const before = await ada.call<OpenApiSpecContent>("getOpenAPISpecVersionContentById", version)
    expect(pathsOf(before)).toEqual(["/pets"])

    // Others are given as text, one by its own name, one where there was none.
    const text = described({ "/toys": {} })
    await ada.call("createOpenAPISpec", at, { body: { slug: `toys-${tag}`, source: { text } } })
    const put2 = { ...at, specSlug: `more-${tag}` }
    const more = await ada.call<OpenApiSpec>("createOrUpdateOpenAPISpecBySlug", put2, {
      body: { source: { text } }
    })
    expect(more.slug).toBe(`more-${tag}`)
    expect((await ada.call<Page<OpenApiSpec>>("listOpenAPISpecs", at)).count).toBe(3)
    await ada.call("deleteOpenAPISpecBySlug", put2)
    await ada.refused(404, "getOpenAPISpecBySlug", put2)
  }
}

export const translations: ContractScenario = {
  title: "Translations of content are set up",
  run: async ({ ada, acme }) => {
    const at = { organizationId: acme.id }
    const title = "European"
    const made = await ada.call<Translation>("createTranslation", at, { body: { title } })
    expect(made).toMatchObject({ title, languages: ["en"], permissions: { view: true, edit: true } })
    const asian = await ada.call<Translation>("createTranslation", at, { body: { title: "Asian" } })
    expect(idsOf(await ada.call<Page<Translation>>("listTranslations", at)).toSorted()).toEqual(
      [made.id, asian.id].toSorted()
    )
    const one = { ...at, translationSettingsId: asian.id }
    const renamed = await ada.call<Translation>("updateTranslation", one, { body: { title: "Far Eastern" } })
    expect(renamed.title).toBe("Far Eastern")
    expect(await ada.call<Translation>("getTranslation", one)).toEqual(renamed)
    await ada.call("deleteTranslation", one)
    await ada.refused(404, "getTranslation", one)
  }
}
