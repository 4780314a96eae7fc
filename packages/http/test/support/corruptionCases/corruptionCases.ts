/** At least one corruption case for each check of the doctor. */
import { contentCases } from "./content.ts"
import { peopleCases } from "./people.ts"
import type { CorruptionCase } from "./rows.ts"
import { sitesCases } from "./sites.ts"
import { spacesCases } from "./spaces.ts"
import { storedValueCases } from "./storedValues.ts"

export const corruptionCases: ReadonlyArray<CorruptionCase> = [
  ...peopleCases,
  ...spacesCases,
  ...sitesCases,
  ...contentCases,
  ...storedValueCases
]
