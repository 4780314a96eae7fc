/** The redirects of a site, and a test of the target of a URL. */
import { ApiError, type SiteRedirect, type SiteStructure } from "@lectern/client/fetch"
import { type FormEvent, useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { messageOfError, runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { CornerUpRight, Plus } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey, useStructure } from "./data.ts"
import { openRedirect } from "./RedirectDialog.tsx"
import { redirectStrings } from "./redirectStrings.ts"
import { DestinationName } from "./redirectTargets.tsx"
import { SiteFrame } from "./SiteFrame.tsx"
import { siteStrings } from "./strings.ts"

const removeRedirect = (known: KnownSite, redirect: SiteRedirect) => {
  const { id, source, destination, draft, captureWildcard, permanent } = redirect
  const payload = { source, destination, draft, captureWildcard, permanent }
  return runChange({
    send: () =>
      client.siteRedirects.deleteSiteRedirectById({ params: { ...known.params, siteRedirectId: id } }),
    message: translate(siteStrings, "redirectRemoved", { source }),
    failure: translate(siteStrings, "changeFailed"),
    undo: () => client.siteRedirects.createSiteRedirect({ params: known.params, payload }),
    invalidates: [`${siteKey(known.site.id)}/redirects`]
  })
}

const publishRedirect = (known: KnownSite, { id, source }: SiteRedirect) =>
  runChange({
    send: () =>
      client.siteRedirects.updateSiteRedirectById({
        params: { ...known.params, siteRedirectId: id },
        payload: { draft: false }
      }),
    message: translate(redirectStrings, "published", { source }),
    failure: translate(siteStrings, "changeFailed"),
    invalidates: [`${siteKey(known.site.id)}/redirects`]
  })

const RedirectTags = ({ redirect: { draft, permanent } }: { readonly redirect: SiteRedirect }) => {
  const r = useStrings(redirectStrings)
  return (
    <>
      {draft ? <span className="tag tag-warning">{r("isDraft")}</span> : null}
      {permanent ? <span className="tag">{r("isPermanent")}</span> : null}
    </>
  )
}

type TestResult =
  | { readonly state: "found"; readonly target: string; readonly redirect: SiteRedirect }
  | { readonly state: "none" }
  | { readonly state: "failed"; readonly message: string }

const RedirectTest = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const [source, setSource] = useState("")
  const [result, setResult] = useState<TestResult>()
  const test = async (event: FormEvent) => {
    event.preventDefault()
    if (source.trim() === "") return
    try {
      const { target, redirect } = await client.siteRedirects.getSiteRedirectBySource({
        params: known.params,
        query: { source: source.trim() }
      })
      setResult({ state: "found", target, redirect })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setResult(
        error._tag === "NotFound" ? { state: "none" } : { state: "failed", message: messageOfError(error) }
      )
    }
  }
  return (
    <form className="section settings-form" onSubmit={test}>
      <h2>{t("testRedirect")}</h2>
      <div className="inline-form">
        <TextField label={t("source")} placeholder="/old/page" value={source} onChange={setSource} />
        <Button type="submit">{t("test")}</Button>
      </div>
      <div role="status">
        {result === undefined ? null : result.state === "found" ? (
          <p>
            {t("leadsTo")} <a href={result.target}>{result.target}</a>{" "}
            <RedirectTags redirect={result.redirect} />
          </p>
        ) : result.state === "none" ? (
          <p>{t("leadsNowhere")}</p>
        ) : (
          <p className="form-error">{result.message}</p>
        )}
      </div>
    </form>
  )
}

const Redirects = ({
  known,
  structure
}: {
  readonly known: KnownSite
  readonly structure: SiteStructure
}) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const r = useStrings(redirectStrings)
  const [search, setSearch] = useState("")
  const [list, setList] = useState("live")
  const draft = list === "drafts"
  const redirects = useList(`${siteKey(known.site.id)}/redirects/${list}/${search}`, (query, signal) =>
    client.siteRedirects.listSiteRedirects(
      { params: known.params, query: { ...query, draft, ...(search === "" ? {} : { search }) } },
      { signal }
    )
  )
  const create = () => openRedirect(known, structure)
  useActions([{ id: "redirects.create", label: t("newRedirect"), shortcut: "c", run: create }])
  return (
    <>
      <div className="section-header">
        <TextField
          aria-label={t("searchRedirects")}
          label={t("searchRedirects")}
          value={search}
          onChange={setSearch}
        />
        <SelectField
          label={r("list")}
          value={list}
          options={[
            { value: "live", label: r("live") },
            { value: "drafts", label: r("drafts") }
          ]}
          onChange={setList}
        />
      </div>
      <div className="section">
        <ItemList
          resource={redirects}
          keyOf={({ id }) => id}
          empty={
            search === "" && draft ? (
              <EmptyState title={r("noDrafts")} />
            ) : search === "" ? (
              <EmptyState
                icon={<CornerUpRight />}
                title={t("noRedirects")}
                actions={<Button onPress={create}>{t("newRedirect")}</Button>}
              >
                {t("noRedirectsBody")}
              </EmptyState>
            ) : (
              <EmptyState title={t("noMatch", { search })} />
            )
          }
        >
          {(redirect) => (
            <ItemRow
              icon={<CornerUpRight size={18} aria-hidden />}
              title={redirect.source}
              details={<DestinationName structure={structure} destination={redirect.destination} />}
              tags={<RedirectTags redirect={redirect} />}
              actions={[
                ...(draft
                  ? [
                      {
                        id: "publish",
                        label: r("publish"),
                        run: () => void publishRedirect(known, redirect)
                      }
                    ]
                  : []),
                { id: "edit", label: common("edit"), run: () => openRedirect(known, structure, redirect) },
                {
                  id: "delete",
                  label: common("delete"),
                  isDangerous: true,
                  run: () => void removeRedirect(known, redirect)
                }
              ]}
            />
          )}
        </ItemList>
      </div>
      <RedirectTest known={known} />
    </>
  )
}

const NewRedirect = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const { data } = useStructure(known)
  return (
    <Button
      variant="primary"
      icon={<Plus size={16} />}
      isDisabled={data === undefined}
      onPress={() => {
        if (data !== undefined) openRedirect(known, data)
      }}
    >
      {t("newRedirect")}
    </Button>
  )
}

const LoadedRedirects = ({ known }: { readonly known: KnownSite }) => {
  const structure = useStructure(known)
  return <Loaded resource={structure}>{(data) => <Redirects known={known} structure={data} />}</Loaded>
}

/** The redirects of a site. */
const RedirectsScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(siteStrings)
  return (
    <SiteFrame siteId={params.site} title={t("redirects")} actions={(known) => <NewRedirect known={known} />}>
      {(known) => <LoadedRedirects known={known} />}
    </SiteFrame>
  )
}

export default RedirectsScreen
