/** The published site in a frame, as the reader renders it, with the colors that are being chosen. */
import type { SiteCustomization } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { EmptyState } from "../../components/states.tsx"
import { EyeOff } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, publishSite } from "./data.ts"
import { lookStrings } from "./lookStrings.ts"
import { useShareLinks } from "./ShareLinks.tsx"
import { usePublishingAuth } from "./VisitorAuth.tsx"
import { canSign, signVisitorToken, withVisitorToken } from "./visitorToken.ts"

/** Returns the URL at which the caller can read the site, if there is one. */
const usePreviewUrl = (known: KnownSite): string | undefined => {
  const { published, visibility, urls } = known.site
  const links = useShareLinks(published && visibility === "share-link" ? known : undefined)
  const auth = usePublishingAuth(published && visibility === "visitor-auth" ? known : undefined)
  const [signed, setSigned] = useState<string>()
  const key = auth.data?.privateKey
  useEffect(() => {
    if (key === undefined || urls.published === undefined || !canSign()) return
    const url = urls.published
    void signVisitorToken(key, {}).then((token) => setSigned(withVisitorToken(url, token)))
  }, [key, urls.published])
  if (!published) return undefined
  if (visibility === "share-link") return links.data?.find(({ active }) => active)?.urls.published
  return visibility === "visitor-auth" ? signed : urls.published
}

const isOwn = (url: string): boolean => new URL(url, window.location.href).origin === window.location.origin

interface PreviewProps {
  readonly known: KnownSite
  readonly draft: SiteCustomization
  /** Increases when the customization was stored, so that the frame is loaded again. */
  readonly version: number
}

/** Displays colors in the frame before they are stored. The reader reads them from properties of its document. */
const applyColors = (frame: HTMLIFrameElement | null, { styling }: SiteCustomization): void => {
  const root = frame?.contentDocument?.documentElement
  if (root === undefined || root === null) return
  const { light, dark } = styling.primaryColor
  root.style.setProperty("--primary-light", light)
  root.style.setProperty("--primary-dark", dark)
}

/** The published site in a frame. */
export const Preview = ({ known, draft, version }: PreviewProps) => {
  const t = useStrings(lookStrings)
  const url = usePreviewUrl(known)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => applyColors(frame.current, draft), [draft])
  if (!known.site.published) {
    return (
      <EmptyState
        icon={<EyeOff />}
        title={t("noPreview")}
        actions={<Button onPress={() => void publishSite(known)}>{t("publish")}</Button>}
      >
        {t("noPreviewBody")}
      </EmptyState>
    )
  }
  if (url === undefined)
    return (
      <EmptyState icon={<EyeOff />} title={t("noPreview")}>
        {t("noPreviewLink")}
      </EmptyState>
    )
  return (
    <div className="preview">
      {isOwn(url) ? (
        <iframe
          key={version}
          ref={frame}
          title={t("preview")}
          src={url}
          onLoad={() => applyColors(frame.current, draft)}
        />
      ) : null}
      <p className="small muted">
        {t("previewHint")}{" "}
        <a href={url} target="_blank" rel="noreferrer">
          {t("openInTab")}
        </a>
      </p>
    </div>
  )
}
