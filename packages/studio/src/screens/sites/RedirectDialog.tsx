/** The dialog that creates a redirect of a site, and edits one. */
import type { SiteRedirect, SiteStructure } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { flattenPages, usePages } from "../../data/content.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey } from "./data.ts"
import { redirectStrings } from "./redirectStrings.ts"
import { type Destination, sectionsOf, spacesOf } from "./redirectTargets.tsx"
import { siteStrings } from "./strings.ts"

interface RedirectDialogProps {
  readonly known: KnownSite
  readonly structure: SiteStructure
  readonly redirect?: SiteRedirect
  readonly onClose: () => void
}

/** Returns the choice of a destination without its page. */
const choiceOf = (destination: Destination | undefined, structure: SiteStructure): string => {
  if (destination?.kind === "external") return "external"
  if (destination?.kind === "site-section") return `section ${destination.siteSectionId}`
  if (destination !== undefined) return `space ${destination.siteSpaceId}`
  const first = spacesOf(structure)[0]
  return first === undefined ? "" : `space ${first.id}`
}

interface PageFieldProps {
  readonly spaceId: string
  readonly value: string
  readonly onChange: (pageId: string) => void
}

const PageField = ({ spaceId, value, onChange }: PageFieldProps) => {
  const t = useStrings(siteStrings)
  const pages = usePages({ spaceId, change: undefined })
  return (
    <SelectField
      label={t("page")}
      value={value}
      options={[
        { value: "", label: t("firstPage") },
        ...flattenPages(pages.data ?? []).flatMap((page) =>
          page.type === "document" ? [{ value: page.id, label: page.title }] : []
        )
      ]}
      onChange={onChange}
    />
  )
}

const RedirectDialog = ({ known, structure, redirect, onClose }: RedirectDialogProps) => {
  const t = useStrings(siteStrings)
  const r = useStrings(redirectStrings)
  const common = useStrings(commonStrings)
  const before = redirect?.destination
  const [source, setSource] = useState(redirect?.source ?? "")
  const [choice, setChoice] = useState(choiceOf(before, structure))
  const [pageId, setPageId] = useState(before?.kind === "site-page" ? before.pageId : "")
  const [url, setUrl] = useState(before?.kind === "external" ? before.url : "")
  const [captureWildcard, setCaptureWildcard] = useState(redirect?.captureWildcard ?? false)
  const [permanent, setPermanent] = useState(redirect?.permanent ?? false)
  const [draft, setDraft] = useState(redirect?.draft ?? false)
  const [kind, id = ""] = choice.split(" ")
  const space = spacesOf(structure).find((candidate) => candidate.id === id)
  const destination: Destination =
    kind === "external"
      ? { kind, url: url.trim() }
      : kind === "section"
        ? { kind: "site-section", siteSectionId: id }
        : pageId === ""
          ? { kind: "site-space", siteSpaceId: id }
          : { kind: "site-page", siteSpaceId: id, pageId }
  const onSubmit = async () => {
    const payload = { source: source.trim(), destination, captureWildcard, permanent, draft }
    if (redirect === undefined)
      await client.siteRedirects.createSiteRedirect({ params: known.params, payload })
    else
      await client.siteRedirects.updateSiteRedirectById({
        params: { ...known.params, siteRedirectId: redirect.id },
        payload
      })
    invalidate(`${siteKey(known.site.id)}/redirects`)
  }
  return (
    <FormDialog
      title={redirect === undefined ? t("newRedirect") : t("editRedirect")}
      submit={redirect === undefined ? common("create") : common("save")}
      isDisabled={source.trim() === "" || (kind === "external" ? url.trim() === "" : id === "")}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("source")}
            description={r("wildcardHint")}
            autoFocus
            maxLength={512}
            placeholder="/old/page"
            value={source}
            onChange={setSource}
            error={errorOf("source")}
          />
          <SelectField
            label={t("target")}
            value={choice}
            options={[
              ...sectionsOf(structure).map((section) => ({
                value: `section ${section.id}`,
                label: t("targetSection", { title: section.title })
              })),
              ...spacesOf(structure).map((candidate) => ({
                value: `space ${candidate.id}`,
                label: t("targetSpace", { title: candidate.title })
              })),
              { value: "external", label: r("anotherWebsite") }
            ]}
            onChange={(value) => {
              setChoice(value)
              setPageId("")
            }}
          />
          {kind === "space" && space !== undefined ? (
            <PageField spaceId={space.space.id} value={pageId} onChange={setPageId} />
          ) : null}
          {kind === "external" ? (
            <TextField
              label={r("url")}
              maxLength={2048}
              placeholder="https://example.com/"
              value={url}
              onChange={setUrl}
              error={errorOf("destination.url") ?? errorOf("destination")}
            />
          ) : null}
          {source.trim().endsWith("*") ? (
            <CheckField
              label={r("captureWildcard")}
              isChecked={captureWildcard}
              onChange={setCaptureWildcard}
            />
          ) : null}
          <CheckField label={r("permanent")} isChecked={permanent} onChange={setPermanent} />
          <CheckField label={r("draft")} isChecked={draft} onChange={setDraft} />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that creates a redirect, or edits one. */
export const openRedirect = (known: KnownSite, structure: SiteStructure, redirect?: SiteRedirect): void =>
  openDialog((onClose) => (
    <RedirectDialog
      known={known}
      structure={structure}
      {...(redirect === undefined ? {} : { redirect })}
      onClose={onClose}
    />
  ))
