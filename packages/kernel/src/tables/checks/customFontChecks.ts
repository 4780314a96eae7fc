/** Doctor checks of the fonts of organizations. */

import { Effect } from "effect"
import { type Check, type Examination, examination } from "../../doctor/Check.ts"
import * as Where from "../../storage/Where.ts"
import { type CustomFontFileRow, customFontFiles, customFonts } from "../sites/customFontTables.ts"

const filesCheck: Check = {
  name: "custom-font-files",
  invariant: "Every font face of a font has its file.",
  source: "docs/decisions/0129-fonts-and-the-rest-of-the-contract.md"
}

/** The doctor checks of fonts. */
export const customFontExaminations: ReadonlyArray<Examination> = [
  examination(
    customFonts,
    [filesCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const files = yield* records.find(customFontFiles, {
        select: ["organization", "font", "hash"],
        where: Where.isIn<CustomFontFileRow, "font">(
          "font",
          rows.map(({ id }) => id)
        )
      })
      const existing = new Set(files.map(({ font, hash }) => `${font} ${hash}`))
      return rows.flatMap(({ organization, id, faces }) =>
        faces
          .filter(({ hash }) => !existing.has(`${id} ${hash}`))
          .map(({ weight }) => ({
            check: filesCheck,
            row: { organization, id },
            message: `has no file of the weight ${weight}`
          }))
      )
    })
  )
]
