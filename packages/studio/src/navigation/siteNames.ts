/** The names of the area of sites, which the frame displays before the area is loaded. */
import { defineStrings } from "../strings/strings.ts"

/** The names of the area of sites. */
export const siteNames = defineStrings({
  en: { sites: "Sites", openSites: "Open the sites" },
  de: { sites: "Websites", openSites: "Websites öffnen" },
  fr: { sites: "Sites", openSites: "Ouvrir les sites" }
})
