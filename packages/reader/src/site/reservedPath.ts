/** The path of assets, of the search and of other parts of the reader below the root of a site. */
export const reservedPath = "~/"

/** The path of questions below the root of a site. */
export const askPath = `${reservedPath}ask`

/** The path of the settings of the search below the root of a site, which its export reads. */
export const searchSettingsPath = `${reservedPath}search/settings.json`
