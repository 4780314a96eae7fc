/** The scripts of a published site, as its pages load them. */
import { createHash } from "node:crypto"
import type { PublishedSite } from "@lectern/core"
import { extendPolicy, mergeOrigins, type ScriptOrigins } from "@lectern/model/sites"
import type { ReaderResponse } from "../http/messages.ts"
import type { PageScripts } from "../page/PageModel.ts"

const kinds = {
  "script-src": "scripts",
  "connect-src": "connections",
  "frame-src": "frames",
  "style-src": "styles"
} as const

/** Returns the origins that a policy of a script names. */
const originsOf = (policy: string): ScriptOrigins =>
  Object.fromEntries(
    policy.split("; ").flatMap((entry) => {
      const [directive = "", ...origins] = entry.split(" ")
      return Object.hasOwn(kinds, directive) ? [[kinds[directive as keyof typeof kinds], origins]] : []
    })
  )

/** Returns the scripts of a site; `undefined` without any. Scripts in files of the site have relative URLs, which a proxy cannot break. */
export const pageScriptsOf = (
  { scripts }: Pick<PublishedSite, "scripts">,
  root: string
): PageScripts | undefined => {
  if (scripts.length === 0) return undefined
  const entries = scripts.map(({ script, categories = [] }) => ({
    url: script.startsWith(root) ? script.slice(root.length) : script,
    categories
  }))
  const origins = mergeOrigins(
    scripts.map(({ contentSecurityPolicy = "" }) => originsOf(contentSecurityPolicy))
  )
  const version = createHash("sha256")
    .update(JSON.stringify([entries, origins]))
    .digest("base64url")
    .slice(0, 12)
  return { entries, origins, version, root: URL.parse(root)?.pathname ?? "/" }
}

/** Permits the origins of the scripts of a site in the policy of a page. */
export const withScriptPolicy = <Response extends ReaderResponse>(
  response: Response,
  { scripts }: { readonly scripts?: PageScripts | undefined }
): Response => {
  const policy = response.headers["content-security-policy"]
  const isPage = response.headers["content-type"]?.startsWith("text/html") === true
  if (scripts === undefined || policy === undefined || !isPage) return response
  const headers = { ...response.headers, "content-security-policy": extendPolicy(policy, scripts.origins) }
  return { ...response, headers }
}
