/** The URL at which the person can read a site. */
import { useEffect, useState } from "react"
import type { KnownSite } from "./data.ts"
import { useShareLinks } from "./ShareLinks.tsx"
import { usePublishingAuth } from "./VisitorAuth.tsx"
import { canSign, signVisitorToken, withVisitorToken } from "./visitorToken.ts"

/**
 * Returns the URL at which the person can read a site: with the key of a share link, or with the token of a test login. Undefined if the
 * site is not published, and without an active share link or a key of the site.
 */
export const useReadableUrl = (known: KnownSite | undefined): string | undefined => {
  const site = known?.site.published === true ? known.site : undefined
  const links = useShareLinks(site?.visibility === "share-link" ? known : undefined)
  const auth = usePublishingAuth(site?.visibility === "visitor-auth" ? known : undefined)
  const [signed, setSigned] = useState<string>()
  const key = auth.data?.privateKey
  const url = site?.urls.published
  useEffect(() => {
    if (key === undefined || url === undefined || !canSign()) return
    void signVisitorToken(key, {}).then((token) => setSigned(withVisitorToken(url, token)))
  }, [key, url])
  if (site?.visibility === "share-link") return links.data?.find(({ active }) => active)?.urls.published
  return site?.visibility === "visitor-auth" ? signed : url
}
