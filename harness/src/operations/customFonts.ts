/** The operations on the fonts of organizations. */
import type { CustomFontsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { fontOf } from "./sceneInputs.ts"

export const customFonts = {
  listCustomFonts: { serves: "CustomFonts.list", rule: "organization.listFonts" },
  createCustomFont: {
    serves: "CustomFonts.create",
    rule: "organization.create",
    repeated: "another",
    body: ({ fontKey }) => fontOf(fontKey)
  },
  getCustomFont: { serves: "CustomFonts.get", rule: "organization.listFonts" },
  updateCustomFont: {
    serves: "CustomFonts.update",
    rule: "organization.create",
    body: () => ({ fontFamily: "Acme Serif" }),
    full: ({ fontKey }) => ({
      body: { fontFamily: "Acme Serif", fontFaces: [{ weight: 700, storageKey: fontKey }] }
    })
  },
  deleteCustomFont: { serves: "CustomFonts.remove", rule: "organization.create", repeated: "404" }
} satisfies RowsOf<typeof CustomFontsApi>
