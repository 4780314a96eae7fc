/** Damage for each check of the doctor. */
import { all as content } from "./content.ts"
import { all as people } from "./people.ts"
import { all as sites } from "./sites.ts"
import { all as spaces } from "./spaces.ts"
import type { Damage } from "./tools.ts"

export const damages: ReadonlyArray<Damage> = [...people, ...spaces, ...sites, ...content]
