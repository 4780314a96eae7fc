/** The manifest of the feature `imports`. */
import { defineFeature } from "../../kernel/features/Feature.ts"
import { Imports } from "./Imports.ts"

/** Content that is imported from websites and files. */
export const importsFeature = defineFeature("imports", {
  userServices: { imports: Imports },
  layer: Imports.layer
})
