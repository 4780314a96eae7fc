/** An organization uploads a font, and a site displays it. */
import type {
  CompleteCustomization,
  CustomFont,
  Page,
  PublishedSite,
  Site,
  Space,
  UploadUrl
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import { writableOf } from "./helpers.ts"

/** A file with the header of a WOFF2 font. */
const fontFile = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  const header = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode("wOF2"))
  header.setUint32(4, 0x0001_0000)
  header.setUint32(8, length)
  header.setUint16(12, 1)
  return bytes
}

/** Uploads a file, and returns its key. */
const upload = async ({ ada, acme, client }: ScenarioContext, bytes: Uint8Array): Promise<string> => {
  const file = { name: "acme.woff2", type: "font/woff2", size: bytes.length }
  const { url, key } = await ada.call<UploadUrl>(
    "generateStorageUploadURL",
    { organizationId: acme.id },
    { body: { file, kind: "customization_font" } }
  )
  const { pathname, search } = new URL(url)
  const sent = await fetch(`${new URL(client.url).origin}${pathname}${search}`, {
    method: "PUT",
    body: bytes as BodyInit
  })
  expect(sent.status).toBe(204)
  return key
}

/** A site uses the font, until it is deleted. */
const checkSite = async ({ ada, acme }: ScenarioContext, font: CustomFont): Promise<void> => {
  const at = { organizationId: acme.id }
  const space = await ada.call<Space>("createSpace", at, { body: { title: "Guide" } })
  const { id } = await ada.call<Site>("createSite", at, { body: { title: "Docs", spaces: [space.id] } })
  const site = { ...at, siteId: id }
  const before = await ada.call<CompleteCustomization>("getSiteCustomizationById", site)
  const { permissions: _, ...definition } = font
  const customized = (other: object) => ({
    body: {
      ...writableOf(before),
      styling: { ...before.styling, font: { ...definition, ...other }, monospaceFont: definition }
    }
  })
  await ada.call("updateSiteCustomizationById", site, customized({}))
  const after = await ada.call<CompleteCustomization>("getSiteCustomizationById", site)
  expect([after.styling.font, after.styling.monospaceFont]).toEqual([definition, definition])
  await ada.expectError(400, "updateSiteCustomizationById", site, customized({ id: "missing" }))
  await ada.call("publishSite", site)
  const published = () => ada.call<PublishedSite>("getPublishedContentSite", site)
  expect((await published()).customizations.site.styling.font).toEqual(definition)

  const fontAt = { ...at, fontId: font.id }
  await ada.call("updateCustomFont", fontAt, { body: { fontFamily: "Acme Text" } })
  expect((await published()).customizations.site.styling.font).toMatchObject({ fontFamily: "Acme Text" })
  await ada.call("deleteCustomFont", fontAt)
  await ada.expectError(404, "getCustomFont", fontAt)
  expect((await published()).customizations.site.styling.font).toBe("Inter")
}

export const fonts: ContractScenario = {
  title: "An organization uploads a font, and a site displays it",
  requires: ["customFonts", "uploads"],
  run: async (context) => {
    const { ada, rita, eve, acme, other: otherOrganization, client } = context
    const at = { organizationId: acme.id }
    const [regular, bold] = [await upload(context, fontFile(64)), await upload(context, fontFile(80))]
    const create = (fontFaces: ReadonlyArray<{ readonly weight: number; readonly storageKey: string }>) => ({
      body: { fontFamily: "Acme Sans", fontFaces }
    })
    const face = { weight: 400, storageKey: regular }
    const font = await ada.call<CustomFont>("createCustomFont", at, create([face]))
    expect(font).toMatchObject({ custom: true, fontFamily: "Acme Sans", permissions: { edit: true } })

    // The file of a font is public at its URL, with the type of its format.
    const { url } = font.fontFaces[0]!.sources[0]!
    const file = await fetch(`${new URL(client.url).origin}${new URL(url).pathname}`)
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "font/woff2"])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(fontFile(64))

    const changed = await ada.call<CustomFont>(
      "updateCustomFont",
      { ...at, fontId: font.id },
      {
        body: { fontFaces: [{ weight: 700, storageKey: bold }] }
      }
    )
    expect(changed.fontFaces.map(({ weight }) => weight)).toEqual([400, 700])
    await ada.call(
      "updateCustomFont",
      { ...at, fontId: font.id },
      {
        body: { fontFaces: [{ weight: 700, storageKey: null }] }
      }
    )
    expect(await ada.call<CustomFont>("getCustomFont", { ...at, fontId: font.id })).toEqual(font)
    const other = await ada.call<CustomFont>("createCustomFont", at, {
      body: { ...create([face]).body, fontFamily: "Acme Serif" }
    })
    const listed = await rita.call<Page<CustomFont>>("listCustomFonts", at)
    await ada.call("deleteCustomFont", { ...at, fontId: other.id })
    expect(listed.items.find(({ id }) => id === font.id)?.permissions.edit).toBe(false)

    // Not a font, without the weight 400, twice the same weight, and the file of an upload that does not exist.
    const text = await upload(
      context,
      new TextEncoder().encode("wOF2 begins this text, which is not the header of a font.")
    )
    for (const faces of [
      [{ ...face, storageKey: text }],
      [{ ...face, weight: 700 }],
      [face, face],
      [{ ...face, storageKey: "missing" }]
    ]) {
      await ada.expectError(400, "createCustomFont", at, create(faces))
    }
    await rita.expectError(403, "createCustomFont", at, create([face]))
    await eve.expectError(404, "getCustomFont", { organizationId: otherOrganization.id, fontId: font.id })
    await checkSite(context, font)
  }
}
