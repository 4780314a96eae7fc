/** The readers of a site: all visitors, people with a link, or visitors who have signed in. */
import type { Site } from "@lectern/client/fetch"
import { RadioField } from "../../components/CheckField.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { runChange } from "../../data/change.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, keysOf } from "./data.ts"
import { ShareLinks } from "./ShareLinks.tsx"
import { SiteFrame } from "./SiteFrame.tsx"
import { visibilityKeys } from "./SiteTags.tsx"
import { siteStrings } from "./strings.ts"
import { VisitorAuth, VisitorPreview } from "./VisitorAuth.tsx"

type Visibility = Site["visibility"]

const explanations = {
  public: "publicBody",
  unlisted: "unlistedBody",
  "share-link": "shareLinkBody",
  "visitor-auth": "visitorAuthAudience"
} as const satisfies Readonly<Record<Visibility, keyof typeof siteStrings.en>>

const setVisibility = (known: KnownSite, visibility: Visibility) => {
  const send = (value: Visibility) =>
    client.sites.updateSiteById({ params: known.params, payload: { visibility: value } })
  return runChange({
    send: () => send(visibility),
    message: translate(siteStrings, "audienceChanged"),
    failure: translate(siteStrings, "changeFailed"),
    undo: () => send(known.site.visibility),
    invalidates: keysOf(known)
  })
}

/** Changes the audience. Opens a confirmation before a published site opens to all visitors, or closes for its current readers. */
const changeAudience = (known: KnownSite, visibility: Visibility): void => {
  if (!known.site.published) return void setVisibility(known, visibility)
  openConfirm({
    title: translate(siteStrings, "audienceTitle", {
      audience: translate(siteStrings, visibilityKeys[visibility])
    }),
    body: translate(siteStrings, explanations[visibility]),
    confirm: translate(siteStrings, "changeAudience"),
    isDangerous: false,
    run: () => void setVisibility(known, visibility)
  })
}

const Audience = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const { visibility } = known.site
  return (
    <>
      <section className="section">
        <RadioField
          label={t("audienceQuestion")}
          value={visibility}
          choices={Object.entries(explanations).map(([value, key]) => ({
            value: value as Visibility,
            label: t(visibilityKeys[value as Visibility]),
            description: t(key)
          }))}
          onChange={(value) => changeAudience(known, value)}
        />
      </section>
      {visibility === "share-link" ? <ShareLinks known={known} /> : null}
      {visibility === "visitor-auth" ? (
        <VisitorAuth known={known} />
      ) : known.site.adaptiveContent.enabled ? (
        <VisitorPreview known={known} />
      ) : null}
    </>
  )
}

/** Who can read a site. */
const AudienceScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(siteStrings)
  return (
    <SiteFrame siteId={params.site} title={t("audience")} width="text" isPublishPrimary>
      {(known) => <Audience known={known} />}
    </SiteFrame>
  )
}

export default AudienceScreen
