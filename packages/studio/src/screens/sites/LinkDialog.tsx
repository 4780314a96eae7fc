/** The dialog that adds a link to another website to the structure of a site, and edits one. */
import type { SiteExternalLink } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, refreshSite } from "./data.ts"
import { linkStrings } from "./linkStrings.ts"

interface LinkDialogProps {
  readonly known: KnownSite
  readonly link?: SiteExternalLink
  readonly onClose: () => void
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const LinkDialog = ({ known, link, onClose }: LinkDialogProps) => {
  const t = useStrings(linkStrings)
  const common = useStrings(commonStrings)
  const [title, setTitle] = useState(link?.title ?? "")
  const [url, setUrl] = useState(link?.url ?? "")
  const [description, setDescription] = useState(link?.description ?? "")
  const [condition, setCondition] = useState(link?.condition ?? "")
  const [draft, setDraft] = useState(link?.draft ?? false)
  const onSubmit = async () => {
    const { params } = known
    const payload = {
      ...{ title: title.trim(), url: url.trim(), draft },
      ...{ description: orNull(description), condition: orNull(condition) }
    }
    if (link === undefined) await client.siteExternalLinks.addExternalLinkToSite({ params, payload })
    else
      await client.siteExternalLinks.updateSiteExternalLinkById({
        params: { ...params, siteExternalLinkId: link.id },
        payload
      })
    refreshSite(known)
  }
  return (
    <FormDialog
      title={link === undefined ? t("addLink") : t("editLink")}
      submit={link === undefined ? common("add") : common("save")}
      isDisabled={title.trim() === "" || url.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={common("title")}
            autoFocus
            maxLength={128}
            value={title}
            onChange={setTitle}
            error={errorOf("title")}
          />
          <TextField
            label={t("url")}
            maxLength={2_048}
            placeholder="https://example.com/"
            value={url}
            onChange={setUrl}
            error={errorOf("url")}
          />
          <TextField
            label={common("description")}
            maxLength={256}
            value={description}
            onChange={setDescription}
            error={errorOf("description")}
          />
          <TextField
            label={t("condition")}
            description={t("conditionHint")}
            maxLength={1_024}
            value={condition}
            onChange={setCondition}
            error={errorOf("condition")}
          />
          <CheckField label={t("draft")} isChecked={draft} onChange={setDraft} />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that adds a link. */
export const openAddLink = (known: KnownSite): void =>
  openDialog((onClose) => <LinkDialog known={known} onClose={onClose} />)

/** Opens the dialog that edits a link. */
export const openEditLink = (known: KnownSite, link: SiteExternalLink): void =>
  openDialog((onClose) => <LinkDialog known={known} link={link} onClose={onClose} />)
