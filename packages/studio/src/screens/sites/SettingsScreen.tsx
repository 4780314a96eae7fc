/** The settings of a site: its title, its addresses, adaptive content, its export, and its removal. */
import { ApiError, type SiteAdaptiveSchema } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { TextField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useResource } from "../../data/useResource.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { DownloadButton } from "../imports/DownloadButton.tsx"
import { type KnownSite, keysOf, refreshSite, siteKey } from "./data.ts"
import { lookStrings } from "./lookStrings.ts"
import { SearchSection } from "./SearchSection.tsx"
import { SiteFrame } from "./SiteFrame.tsx"

const General = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(lookStrings)
  const { site, params } = known
  const [title, setTitle] = useState(site.title)
  const [basename, setBasename] = useState(site.basename ?? "")
  const [proxy, setProxy] = useState(site.proxy?.origin ?? "")
  const [isIncluded, setIsIncluded] = useState(site.agentsContext === "included")
  const save = async () => {
    await client.sites.updateSiteById({
      params,
      payload: {
        title: title.trim(),
        ...(basename.trim() === "" ? {} : { basename: basename.trim() }),
        proxy: proxy.trim() === "" ? null : proxy.trim(),
        agentsContext: isIncluded ? "included" : "excluded"
      }
    })
    refreshSite(known)
  }
  return (
    <SettingsForm isDisabled={title.trim().length < 2} onSubmit={save}>
      {(errorOf) => (
        <>
          <TextField
            label={t("siteTitle")}
            maxLength={128}
            value={title}
            onChange={setTitle}
            error={errorOf("title")}
          />
          <TextField
            label={t("basename")}
            description={t("basenameHint")}
            maxLength={100}
            value={basename}
            onChange={setBasename}
            error={errorOf("basename")}
          />
          <TextField
            label={t("domain")}
            description={
              site.proxy === undefined ? t("domainHint") : t("domainTarget", { target: site.proxy.target })
            }
            placeholder="docs.example.com"
            maxLength={512}
            value={proxy}
            onChange={setProxy}
            error={errorOf("proxy")}
          />
          <CheckField
            label={t("agents")}
            description={t("agentsHint")}
            isChecked={isIncluded}
            onChange={setIsIncluded}
          />
        </>
      )}
    </SettingsForm>
  )
}

const parseSchema = (text: string): SiteAdaptiveSchema["jsonSchema"] | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    // The server validates the schema, and names the property that is wrong.
    return typeof value === "object" && value !== null
      ? (value as SiteAdaptiveSchema["jsonSchema"])
      : undefined
  } catch {
    return undefined
  }
}

type ClaimsSchema = SiteAdaptiveSchema["jsonSchema"]

/** The schema of a site without one: visitors have no claims. */
const emptySchema: ClaimsSchema = { type: "object", properties: {}, additionalProperties: false }

const loadSchema = async (known: KnownSite, signal: AbortSignal): Promise<ClaimsSchema> => {
  try {
    return (await client.sites.getSiteAdaptiveSchema({ params: known.params }, { signal })).jsonSchema
  } catch (error) {
    if (error instanceof ApiError && error._tag === "NotFound") return emptySchema
    throw error
  }
}

interface AdaptiveFormProps {
  readonly known: KnownSite
  readonly isEnabled: boolean
  readonly setIsEnabled: (isEnabled: boolean) => void
  /** The schema of claims; `undefined` while adaptive content is off. */
  readonly schema: ClaimsSchema | undefined
}

const AdaptiveForm = ({ known, isEnabled, setIsEnabled, schema }: AdaptiveFormProps) => {
  const t = useStrings(lookStrings)
  const { site, params } = known
  const [text, setText] = useState(JSON.stringify(schema ?? emptySchema, null, 2))
  const parsed = parseSchema(text)
  const save = async () => {
    if (parsed === undefined) return
    if (schema !== undefined && JSON.stringify(parsed) !== JSON.stringify(schema)) {
      await client.sites.updateSiteAdaptiveSchema({ params, payload: { jsonSchema: parsed } })
      invalidate(`${siteKey(site.id)}/schema`)
    }
    await client.sites.updateSiteById({ params, payload: { adaptiveContent: { enabled: isEnabled } } })
    refreshSite(known)
  }
  return (
    <SettingsForm
      title={t("adaptive")}
      description={t("adaptiveBody")}
      isPrimary={false}
      isDisabled={parsed === undefined}
      onSubmit={save}
    >
      {(errorOf) => (
        <>
          <CheckField label={t("adaptiveEnabled")} isChecked={isEnabled} onChange={setIsEnabled} />
          {schema === undefined ? null : (
            <TextField
              label={t("adaptiveSchema")}
              description={t("adaptiveSchemaHint")}
              rows={8}
              value={text}
              onChange={setText}
              error={parsed === undefined ? t("claimsWrong") : errorOf("jsonSchema")}
            />
          )}
        </>
      )}
    </SettingsForm>
  )
}

/** Adaptive content. The schema is loaded once it is on, because a site without adaptive content usually has no schema. */
const Adaptive = ({ known }: { readonly known: KnownSite }) => {
  const [isEnabled, setIsEnabled] = useState(known.site.adaptiveContent.enabled)
  const schema = useResource(isEnabled ? `${siteKey(known.site.id)}/schema` : undefined, (signal) =>
    loadSchema(known, signal)
  )
  const form = { known, isEnabled, setIsEnabled }
  if (!isEnabled) return <AdaptiveForm {...form} schema={undefined} />
  return (
    <Loaded resource={schema}>{(loaded) => <AdaptiveForm key="enabled" {...form} schema={loaded} />}</Loaded>
  )
}

const openDelete = (known: KnownSite): void =>
  openConfirm({
    title: translate(lookStrings, "deleteTitle", { title: known.site.title }),
    body: translate(lookStrings, "deleteBody"),
    confirm: translate(lookStrings, "deleteSite"),
    run: () =>
      void runChange({
        send: async () => {
          await client.sites.deleteSiteById({ params: known.params })
          navigate("/sites")
        },
        message: translate(lookStrings, "deleted", { title: known.site.title }),
        failure: translate(lookStrings, "deleteFailed"),
        invalidates: keysOf(known)
      })
  })

/** The settings of a site. */
const SettingsScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(lookStrings)
  return (
    <SiteFrame siteId={params.site} title={t("settings")} width="text">
      {(known) => (
        <>
          <General known={known} />
          <Adaptive known={known} />
          <SearchSection known={known} />
          <section className="section settings-form">
            <h2>{t("export")}</h2>
            <p className="muted">{t("exportBody")}</p>
            <DownloadButton
              label={t("export")}
              fileName={`${known.site.title}.zip`}
              load={() => client.exports.getSiteExport({ params: known.params })}
            />
          </section>
          <section className="section settings-form">
            <h2>{t("deleteSite")}</h2>
            <p className="muted">{t("deleteHint")}</p>
            <div>
              <Button variant="danger" onPress={() => openDelete(known)}>
                {t("deleteSite")}
              </Button>
            </div>
          </section>
        </>
      )}
    </SiteFrame>
  )
}

export default SettingsScreen
