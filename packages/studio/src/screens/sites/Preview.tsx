/** The published site in a frame, as the reader renders it, with the colors that are being chosen. */
import type { SiteCustomization } from "@lectern/client/fetch"
import { useEffect, useRef } from "react"
import { Button } from "../../components/Button.tsx"
import { EmptyState } from "../../components/states.tsx"
import { EyeOff } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, publishSite } from "./data.ts"
import { lookStrings } from "./lookStrings.ts"
import { useReadableUrl } from "./useReadableUrl.ts"

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
  const url = useReadableUrl(known)
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
