/** The names of the area of API specifications, which the frame displays before the area is loaded. */
import { defineStrings } from "../strings/strings.ts"

/** The names of the area of API specifications. */
export const specNames = defineStrings({
  en: { specs: "API specifications", openSpecs: "Open the API specifications" },
  de: { specs: "API-Spezifikationen", openSpecs: "API-Spezifikationen öffnen" },
  fr: { specs: "Spécifications d’API", openSpecs: "Ouvrir les spécifications d’API" }
})
