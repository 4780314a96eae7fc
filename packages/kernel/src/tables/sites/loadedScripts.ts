/** Presents what pages of a site load for its scripts. */
import { policyOfOrigins, type ScriptContent, type SiteIntegrationScript } from "@lectern/model/sites"
import { sha256Hex } from "../../sha256.ts"
import type { SiteScriptRow } from "./siteScriptTable.ts"

/** Returns the name of the file with the text of a script, which contains its digest. */
export const scriptFileOf = ({ id }: Pick<SiteScriptRow, "id">, text: string): string =>
  `script.${id}.${sha256Hex(new TextEncoder().encode(text)).slice(0, 16)}.js`

/** Presents what pages load for a script. `root` is the URL of the root of the site. */
export const presentLoadedScripts = (
  root: string,
  row: SiteScriptRow,
  content: ScriptContent
): ReadonlyArray<SiteIntegrationScript> => {
  const { text, url, origins } = content
  const policy = policyOfOrigins(origins)
  const scripts = [
    ...(text === undefined ? [] : [`${root}~/assets/${scriptFileOf(row, text)}`]),
    ...(url === undefined ? [] : [url])
  ]
  return scripts.map((script) => ({
    script,
    ...(policy === "" ? {} : { contentSecurityPolicy: policy }),
    cookies: row.categories.length > 0,
    categories: row.categories
  }))
}
