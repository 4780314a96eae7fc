/** The frame of the screens of a site: its title, its state, and the action that publishes it. */

import type { ReactNode } from "react"
import { useActions } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { Loaded } from "../../components/states.tsx"
import { ExternalLink, Globe } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, publishSite, unpublishSite, useSite } from "./data.ts"
import { visibilityKeys } from "./SiteTags.tsx"
import { siteStrings } from "./strings.ts"
import { useReadableUrl } from "./useReadableUrl.ts"
import { visitStrings } from "./visitStrings.ts"

/** Confirms the end of the publication of a site, with the links that stop to work. */
export const openUnpublish = (known: KnownSite): void =>
  openConfirm({
    title: translate(siteStrings, "unpublishTitle", { title: known.site.title }),
    body: translate(siteStrings, "unpublishBody", { url: known.site.urls.published ?? "" }),
    confirm: translate(siteStrings, "unpublish"),
    run: () => void unpublishSite(known)
  })

/** The link to the site. Without a URL at which the person can read it, the link opens the screen that creates one. */
const Visit = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const visit = useStrings(visitStrings)
  const url = useReadableUrl(known)
  const { id, visibility } = known.site
  const icon = <ExternalLink size={16} aria-hidden />
  if (url === undefined)
    return (
      <ButtonLink to={`/sites/${id}/audience`} icon={icon}>
        {visit(visibility === "share-link" ? "byLink" : "asVisitor")}
      </ButtonLink>
    )
  return (
    <a className="button button-normal" href={url} target="_blank" rel="noreferrer">
      {icon}
      {t("visit")}
    </a>
  )
}

const Publication = ({ known, isPrimary }: { readonly known: KnownSite; readonly isPrimary: boolean }) => {
  const t = useStrings(siteStrings)
  const shell = useStrings(shellStrings)
  const { site } = known
  const action = site.published
    ? { id: "site.unpublish", label: t("unpublish"), isDangerous: true, run: () => openUnpublish(known) }
    : { id: "site.publish", label: t("publish"), run: () => void publishSite(known) }
  useActions([action])
  if (!site.published) {
    return (
      <Button variant={isPrimary ? "primary" : "normal"} icon={<Globe size={16} />} onPress={action.run}>
        {t("publish")}
      </Button>
    )
  }
  return (
    <>
      <ActionMenu label={shell("moreActions")} actions={[action]} />
      <Visit known={known} />
    </>
  )
}

/** Properties of {@link SiteFrame}. */
export interface SiteFrameProps {
  readonly siteId: string
  readonly title: string
  /** Whether "Publish" is the primary action of the screen. */
  readonly isPublishPrimary?: boolean
  readonly actions?: (known: KnownSite) => ReactNode
  readonly width?: "text" | "wide" | "full"
  readonly children: (known: KnownSite) => ReactNode
}

/** The frame of a screen of a site. */
export const SiteFrame = ({
  siteId,
  title,
  isPublishPrimary = false,
  actions,
  width = "wide",
  children
}: SiteFrameProps) => {
  const t = useStrings(siteStrings)
  const resource = useSite(siteId)
  const known = resource.data
  return (
    <ScreenFrame
      title={title}
      width={width}
      above={known === undefined ? undefined : <Link to={`/sites/${siteId}`}>{known.site.title}</Link>}
      actions={
        known === undefined ? undefined : (
          <>
            <Publication known={known} isPrimary={isPublishPrimary} />
            {actions?.(known)}
          </>
        )
      }
      meta={
        known === undefined ? undefined : (
          <>
            <span className={known.site.published ? "tag tag-success" : "tag"}>
              {known.site.published ? t("published") : t("notPublished")}
            </span>
            <span>{t(visibilityKeys[known.site.visibility])}</span>
          </>
        )
      }
    >
      <Loaded resource={resource}>{children}</Loaded>
    </ScreenFrame>
  )
}
