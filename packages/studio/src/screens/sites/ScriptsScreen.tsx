/** The scripts of a site: services of analytics and support, with the reasons why pages do not load them. */
import type { ScriptTemplates, SiteScript } from "@lectern/client/fetch"
import { useActions } from "../../actions/actions.ts"
import { Button, ButtonLink } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { useResource } from "../../data/useResource.ts"
import { Code, Plus } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey } from "./data.ts"
import { openScript } from "./ScriptDialog.tsx"
import { SiteFrame } from "./SiteFrame.tsx"
import { scriptStrings } from "./scriptStrings.ts"

const scriptsKey = (known: KnownSite): string => `${siteKey(known.site.id)}/scripts`

const useTemplates = (known: KnownSite) =>
  useResource<ScriptTemplates>(`${siteKey(known.site.id)}/script-templates`, (signal) =>
    client.siteScripts.listSiteScriptTemplates({ params: known.params }, { signal })
  )

const update = (known: KnownSite, { id, name, enabled }: SiteScript) =>
  runChange({
    send: () =>
      client.siteScripts.updateSiteScriptById({
        params: { ...known.params, siteScriptId: id },
        payload: { enabled: !enabled }
      }),
    message: translate(scriptStrings, enabled ? "scriptDisabled" : "scriptEnabled", { name }),
    undo: () =>
      client.siteScripts.updateSiteScriptById({
        params: { ...known.params, siteScriptId: id },
        payload: { enabled }
      }),
    failure: translate(scriptStrings, "scriptFailed"),
    invalidates: [scriptsKey(known)]
  })

const remove = (known: KnownSite, { id, name, source, categories, origins, enabled }: SiteScript) =>
  runChange({
    send: () => client.siteScripts.deleteSiteScriptById({ params: { ...known.params, siteScriptId: id } }),
    message: translate(scriptStrings, "scriptRemoved", { name }),
    failure: translate(scriptStrings, "scriptFailed"),
    undo: () =>
      client.siteScripts.createSiteScript({
        params: known.params,
        payload: { name, source, categories, origins, enabled }
      }),
    invalidates: [scriptsKey(known)]
  })

const Scripts = ({
  known,
  templates
}: {
  readonly known: KnownSite
  readonly templates: ScriptTemplates
}) => {
  const t = useStrings(scriptStrings)
  const common = useStrings(commonStrings)
  const scripts = useList(scriptsKey(known), (query, signal) =>
    client.siteScripts.listSiteScripts({ params: known.params, query }, { signal })
  )
  const open = (script?: SiteScript) => openScript(known, templates.items, scriptsKey(known), script)
  useActions([{ id: "scripts.create", label: t("newScript"), shortcut: "c", run: () => open() }])
  const nameOf = ({ source }: SiteScript): string =>
    source.type === "template"
      ? (templates.items.find(({ id }) => id === source.template)?.name ?? source.template)
      : t(`service-${source.type}`)
  const detailsOf = (script: SiteScript): string => {
    const purposes = script.categories.map((category) => t(`category-${category}`))
    const service = nameOf(script)
    return [
      ...(service === script.name ? [] : [service]),
      ...(purposes.length === 0 ? [t("withoutConsent")] : purposes)
    ].join(" · ")
  }
  const isWithoutHost = scripts.data?.some(({ enabled, active }) => enabled && !active) === true
  return (
    <div className="section">
      <p className="muted">{t("scriptsBody")}</p>
      {isWithoutHost ? (
        <div className="notice">
          <p>{t("hostNeeded")}</p>
          <ButtonLink size="small" to={`/sites/${known.site.id}/settings`}>
            {t("setHost")}
          </ButtonLink>
        </div>
      ) : null}
      <ItemList
        resource={scripts}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<Code />}
            title={t("noScripts")}
            actions={<Button onPress={() => open()}>{t("newScript")}</Button>}
          >
            {t("noScriptsBody")}
          </EmptyState>
        }
      >
        {(script) => (
          <ItemRow
            icon={<Code size={18} aria-hidden />}
            title={script.name}
            details={detailsOf(script)}
            tags={
              script.active ? (
                <span className="tag tag-success">{t("active")}</span>
              ) : script.enabled ? (
                <span className="tag tag-warning">{t("inactive")}</span>
              ) : (
                <span className="tag">{t("disabled")}</span>
              )
            }
            actions={[
              { id: "edit", label: common("edit"), run: () => open(script) },
              {
                id: "toggle",
                label: script.enabled ? t("disable") : t("enable"),
                run: () => void update(known, script)
              },
              {
                id: "delete",
                label: common("delete"),
                isDangerous: true,
                run: () => void remove(known, script)
              }
            ]}
          />
        )}
      </ItemList>
    </div>
  )
}

const LoadedScripts = ({ known }: { readonly known: KnownSite }) => {
  const templates = useTemplates(known)
  return <Loaded resource={templates}>{(data) => <Scripts known={known} templates={data} />}</Loaded>
}

const NewScript = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(scriptStrings)
  const { data } = useTemplates(known)
  return (
    <Button
      variant="primary"
      icon={<Plus size={16} />}
      isDisabled={data === undefined}
      onPress={() => {
        if (data !== undefined) openScript(known, data.items, scriptsKey(known))
      }}
    >
      {t("newScript")}
    </Button>
  )
}

/** The scripts of a site. */
const ScriptsScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(scriptStrings)
  return (
    <SiteFrame siteId={params.site} title={t("scripts")} actions={(known) => <NewScript known={known} />}>
      {(known) => <LoadedScripts known={known} />}
    </SiteFrame>
  )
}

export default ScriptsScreen
