/** The share links of a site: any visitor who has one can read the site. */
import type { ShareLink } from "@lectern/client/fetch"
import { useState } from "react"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button } from "../../components/Button.tsx"
import { CopyText } from "../../components/CopyText.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { ItemList } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { Link2, Plus } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey } from "./data.ts"
import { siteStrings } from "./strings.ts"

const keyOf = ({ site }: KnownSite): string => `${siteKey(site.id)}/shareLinks`

interface ShareLinkDialogProps {
  readonly known: KnownSite
  readonly link?: ShareLink
  readonly onClose: () => void
}

const ShareLinkDialog = ({ known, link, onClose }: ShareLinkDialogProps) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const [name, setName] = useState(link?.name ?? "")
  const onSubmit = async () => {
    const payload = { name: name.trim() }
    if (link === undefined) await client.shareLinks.createSiteShareLink({ params: known.params, payload })
    else
      await client.shareLinks.updateSiteShareLinkById({
        params: { ...known.params, shareLinkId: link.id },
        payload
      })
    invalidate(keyOf(known))
  }
  return (
    <FormDialog
      title={link === undefined ? t("newShareLink") : common("rename")}
      submit={link === undefined ? common("create") : common("save")}
      isDisabled={name.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={t("shareLinkName")}
          description={t("shareLinkNameHint")}
          autoFocus
          maxLength={50}
          value={name}
          onChange={setName}
          error={errorOf("name")}
        />
      )}
    </FormDialog>
  )
}

const setActive = (known: KnownSite, { id, name }: ShareLink, active: boolean) => {
  const send = (value: boolean) =>
    client.shareLinks.updateSiteShareLinkById({
      params: { ...known.params, shareLinkId: id },
      payload: { active: value }
    })
  return runChange({
    send: () => send(active),
    message: translate(siteStrings, active ? "shareLinkActivated" : "shareLinkPaused", { name }),
    failure: translate(siteStrings, "changeFailed"),
    undo: () => send(!active),
    invalidates: [keyOf(known)]
  })
}

const openRemove = (known: KnownSite, { id, name }: ShareLink): void =>
  openConfirm({
    title: translate(siteStrings, "removeShareLinkTitle", { name }),
    body: translate(siteStrings, "removeShareLinkBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: () =>
          client.shareLinks.deleteSiteShareLinkById({ params: { ...known.params, shareLinkId: id } }),
        message: translate(siteStrings, "shareLinkRemoved", { name }),
        failure: translate(siteStrings, "changeFailed"),
        invalidates: [keyOf(known)]
      })
  })

/** The share links of a site. */
export const useShareLinks = (known: KnownSite | undefined) =>
  useList(known === undefined ? undefined : keyOf(known), (query, signal) =>
    client.shareLinks.listSiteShareLinks({ params: known!.params, query }, { signal })
  )

/** The share links of a site, with their URLs. */
export const ShareLinks = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const shell = useStrings(shellStrings)
  const links = useShareLinks(known)
  const create = () => openDialog((onClose) => <ShareLinkDialog known={known} onClose={onClose} />)
  const button = (
    <Button size="small" icon={<Plus size={14} />} onPress={create}>
      {t("newShareLink")}
    </Button>
  )
  return (
    <section className="section" aria-labelledby="share-links">
      <div className="section-header">
        <h2 id="share-links">{t("shareLinks")}</h2>
        {links.data?.length === 0 ? null : button}
      </div>
      <ItemList
        resource={links}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Link2 />} title={t("noShareLinks")} actions={button}>
            {t("noShareLinksBody")}
          </EmptyState>
        }
      >
        {(link) => (
          <>
            <div className="list-text">
              <CopyText label={link.name} text={link.urls.published} />
              <p className="list-detail">
                <Time value={link.createdAt} />
                {link.active ? null : <span className="tag tag-warning">{common("paused")}</span>}
              </p>
            </div>
            <ActionMenu
              label={shell("moreActionsFor", { title: link.name })}
              actions={[
                {
                  id: "rename",
                  label: common("rename"),
                  run: () =>
                    openDialog((onClose) => <ShareLinkDialog known={known} link={link} onClose={onClose} />)
                },
                {
                  id: "active",
                  label: link.active ? t("pauseShareLink") : t("activateShareLink"),
                  run: () => void setActive(known, link, !link.active)
                },
                {
                  id: "delete",
                  label: common("delete"),
                  isDangerous: true,
                  run: () => openRemove(known, link)
                }
              ]}
            />
          </>
        )}
      </ItemList>
    </section>
  )
}
