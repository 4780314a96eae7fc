/** How visitors of a site sign in: the key that signs their tokens, the URL of the login, and a test login. */
import type { PublishingAuth } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CopyText } from "../../components/CopyText.tsx"
import { TextField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useResource } from "../../data/useResource.ts"
import { LogIn } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey } from "./data.ts"
import { lookStrings } from "./lookStrings.ts"
import { siteStrings } from "./strings.ts"
import { canSign, signVisitorToken, withVisitorToken } from "./visitorToken.ts"

const keyOf = ({ site }: KnownSite): string => `${siteKey(site.id)}/auth`

/** How visitors of a site sign in. Without a site, nothing is loaded. */
export const usePublishingAuth = (known: KnownSite | undefined) =>
  useResource(known === undefined ? undefined : keyOf(known), (signal) =>
    client.sites.getSitePublishingAuthById({ params: known!.params }, { signal })
  )

/** Whether the site is on the origin of the application, whose policy permits to display it in a frame. */
const isOwnOrigin = (url: string): boolean =>
  new URL(url, window.location.href).origin === window.location.origin

const parseClaims = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

const TestLogin = ({ known, auth }: { readonly known: KnownSite; readonly auth: PublishingAuth }) => {
  const t = useStrings(siteStrings)
  const look = useStrings(lookStrings)
  const [text, setText] = useState('{ "sub": "visitor@example.com" }')
  const [url, setUrl] = useState<string>()
  const claims = parseClaims(text)
  const { published } = known.site.urls
  const create = async () => {
    if (claims === undefined || published === undefined) return
    setUrl(withVisitorToken(published, await signVisitorToken(auth.privateKey, claims)))
  }
  if (published === undefined) return <p className="muted">{t("testLoginUnpublished")}</p>
  if (!canSign()) return <p className="muted">{t("testLoginInsecure")}</p>
  return (
    <>
      <TextField
        label={t("claims")}
        description={t("claimsHint")}
        rows={4}
        value={text}
        onChange={(value) => {
          setText(value)
          setUrl(undefined)
        }}
        error={claims === undefined ? t("claimsWrong") : undefined}
      />
      <div className="button-row">
        <Button icon={<LogIn size={16} />} isDisabled={claims === undefined} onPress={() => void create()}>
          {t("createTestLogin")}
        </Button>
        {url === undefined ? null : (
          <a className="button button-normal" href={url} target="_blank" rel="noreferrer">
            {t("openAsVisitor")}
          </a>
        )}
      </div>
      {url !== undefined && isOwnOrigin(url) ? (
        <div className="preview">
          <iframe key={url} title={look("asVisitor")} src={url} />
        </div>
      ) : null}
    </>
  )
}

const openRegenerate = (known: KnownSite): void =>
  openConfirm({
    title: translate(siteStrings, "regenerateTitle"),
    body: translate(siteStrings, "regenerateBody"),
    confirm: translate(siteStrings, "regenerate"),
    run: () =>
      void runChange({
        send: () => client.sites.regenerateSitePublishingAuthById({ params: known.params }),
        message: translate(siteStrings, "regenerated"),
        failure: translate(siteStrings, "changeFailed"),
        invalidates: [keyOf(known)]
      })
  })

const Settings = ({ known, auth }: { readonly known: KnownSite; readonly auth: PublishingAuth }) => {
  const t = useStrings(siteStrings)
  const [fallback, setFallback] = useState(auth.fallbackURL ?? "")
  const [isKeyVisible, setIsKeyVisible] = useState(false)
  return (
    <>
      <SettingsForm
        title={t("visitorAuth")}
        description={t("visitorAuthBody")}
        isPrimary={false}
        isDisabled={fallback.trim() === (auth.fallbackURL ?? "")}
        onSubmit={async () => {
          await client.sites.updateSitePublishingAuthById({
            params: known.params,
            payload: { fallbackURL: fallback.trim() === "" ? null : fallback.trim() }
          })
          invalidate(keyOf(known))
        }}
      >
        {(errorOf) => (
          <TextField
            label={t("fallbackUrl")}
            description={t("fallbackUrlHint")}
            type="url"
            value={fallback}
            onChange={setFallback}
            error={errorOf("fallbackURL")}
          />
        )}
      </SettingsForm>
      <section className="section settings-form">
        <h2>{t("signingKey")}</h2>
        <p className="muted">{t("signingKeyBody")}</p>
        {isKeyVisible ? <CopyText label={t("signingKey")} text={auth.privateKey} /> : null}
        <div className="button-row">
          <Button onPress={() => setIsKeyVisible(!isKeyVisible)}>
            {isKeyVisible ? t("hideKey") : t("showKey")}
          </Button>
          <Button variant="quiet" onPress={() => openRegenerate(known)}>
            {t("regenerate")}
          </Button>
        </div>
      </section>
      <section className="section settings-form">
        <h2>{t("testLogin")}</h2>
        <p className="muted">{t("testLoginBody")}</p>
        <TestLogin known={known} auth={auth} />
      </section>
    </>
  )
}

/** A site with adaptive content as a visitor with given claims sees it, who need not sign in. */
export const VisitorPreview = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const look = useStrings(lookStrings)
  const auth = usePublishingAuth(known)
  return (
    <section className="section settings-form">
      <h2>{look("asVisitor")}</h2>
      <p className="muted">{t("testLoginBody")}</p>
      <Loaded resource={auth}>{(loaded) => <TestLogin known={known} auth={loaded} />}</Loaded>
    </section>
  )
}

/** How visitors of a site sign in. */
export const VisitorAuth = ({ known }: { readonly known: KnownSite }) => {
  const auth = usePublishingAuth(known)
  return (
    <Loaded resource={auth}>
      {(loaded) => <Settings key={loaded.fallbackURL} known={known} auth={loaded} />}
    </Loaded>
  )
}
