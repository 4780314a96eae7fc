/** The glossary of an organization is changed and read. */
import type { GlossaryEntry, Page } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { Json } from "../Schemas.ts"

export const glossary: ContractScenario = {
  title: "Entries of the glossary are inserted, updated and deleted",
  requires: ["glossary"],
  run: async ({ ada, acme }) => {
    const at = { organizationId: acme.id }
    const entries = async () => (await ada.call<Page<GlossaryEntry>>("listGlossaryEntries", at)).items
    const change = (...operations: ReadonlyArray<Json>) =>
      ada.call("updateGlossaryEntries", at, { body: { operations } })
    await change(
      { type: "insert", translations: { en: "space", fr: "espace" } },
      { type: "insert", translations: { en: "page" } }
    )
    // Checks of the request may have added others.
    const inserted = await entries()
    const [page, space] = [
      inserted.find(({ translations }) => translations.en === "page"),
      inserted.find(({ translations }) => translations.fr === "espace")
    ]
    await change(
      { type: "update", id: space!.id, translations: { en: "space", de: "Bereich" } },
      { type: "delete", id: page!.id }
    )
    const entry = { ...at, glossaryEntryId: space!.id }
    const read = await ada.call<GlossaryEntry>("getGlossaryEntry", entry)
    expect(read.translations).toEqual({ en: "space", de: "Bereich" })
    const remaining = await entries()
    expect(remaining).toContainEqual(read)
    expect(remaining.map(({ id }) => id)).not.toContain(page!.id)
    // A change that fails leaves the glossary as it was.
    await ada.expectError(404, "updateGlossaryEntries", at, {
      body: {
        operations: [
          { type: "delete", id: space!.id },
          { type: "delete", id: page!.id }
        ]
      }
    })
    expect(await entries()).toEqual(remaining)
  }
}
