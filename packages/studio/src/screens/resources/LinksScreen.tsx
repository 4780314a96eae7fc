/** The links of the pages of a space by their target, with repairs of the broken ones. */
import type { ContentLocation, ContentRef, ContentReferenceUsage } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { ItemList } from "../../components/ItemList.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { flattenPages, type Place, usePages } from "../../data/content.ts"
import { useLinks } from "../../data/files.ts"
import { showToast } from "../../data/toasts.ts"
import { placeOfEdits } from "../../edits/editing.ts"
import { Link2, Unlink } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { useAddress } from "../../router/location.ts"
import { useStrings } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { ResourceFrame, type ResourceParams, type ResourcePlace, resourcePath } from "./ResourceFrame.tsx"
import { repairLinks } from "./repairLinks.ts"
import { resourcesStrings } from "./strings.ts"
import { usesOf } from "./uses.ts"

/** Returns the name of a target. */
const nameOf = (target: ContentLocation): string => {
  switch (target.kind) {
    case "page":
      return target.internalLocation === undefined
        ? target.page.title
        : `${target.page.title} #${target.internalLocation.anchor}`
    case "file":
      return target.file.name
    case "reusable-content":
      return target.reusableContent.title
    case "space":
      return target.space.title
    case "user":
      return target.user.displayName
    case "collection":
      return target.collection.title
    case "openapi":
      return target.openAPISpec.slug
    case "url":
      return target.url
  }
}

interface RepairProps {
  readonly known: ResourcePlace
  readonly target: string
  readonly pageIds: ReadonlyArray<string>
  readonly onClose: () => void
}

const replacementOf = (page: string, url: string): ContentRef | undefined =>
  page !== ""
    ? { kind: "page", page }
    : URL.canParse(url.trim())
      ? { kind: "url", url: url.trim() }
      : undefined

const RepairDialog = ({ known, target, pageIds, onClose }: RepairProps) => {
  const t = useStrings(resourcesStrings)
  const { place, space } = known
  const pages = usePages(place)
  const [page, setPage] = useState("")
  const [url, setUrl] = useState("")
  const [isRemoval, setIsRemoval] = useState(false)
  const replacement = replacementOf(page, url)
  const onSubmit = async () => {
    const edited: Place = await placeOfEdits(space, place)
    const result = await repairLinks(edited, pageIds, target, isRemoval ? undefined : replacement)
    for (const key of [...affectedKeys(place), ...affectedKeys(edited)]) invalidate(key)
    if (result._tag === "Repaired") {
      const isElsewhere = edited.change !== undefined && edited.change !== place.change
      const message = isElsewhere
        ? t("repairedIn", { number: edited.change! })
        : t("repaired", { count: result.pages })
      showToast({ kind: "done", message })
      return
    }
    showToast({
      kind: "failed",
      message: t("repairFailed"),
      detail: t(result._tag === "Changed" ? "changedMeanwhile" : "notRepairable")
    })
  }
  const choices = flattenPages(pages.data ?? []).filter(({ type }) => type === "document")
  return (
    <FormDialog
      title={t("repairTitle", { target })}
      submit={t(isRemoval ? "removeLink" : "replace")}
      isDisabled={!isRemoval && replacement === undefined}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t("page")}
            value={page}
            isDisabled={isRemoval}
            options={[
              { value: "", label: t("choosePage") },
              ...choices.map(({ id, title }) => ({ value: id, label: title }))
            ]}
            onChange={setPage}
          />
          <TextField
            label={t("orUrl")}
            type="url"
            isDisabled={isRemoval || page !== ""}
            value={url}
            onChange={setUrl}
            error={errorOf("changes")}
          />
          <label className="choice">
            <input
              type="checkbox"
              checked={isRemoval}
              onChange={(event) => setIsRemoval(event.target.checked)}
            />
            <span>
              {t("removeLink")}
              <span className="field-description choice-description">{t("removeLinkBody")}</span>
            </span>
          </label>
        </>
      )}
    </FormDialog>
  )
}

const LinkRow = ({
  known,
  usage
}: {
  readonly known: ResourcePlace
  readonly usage: ContentReferenceUsage
}) => {
  const t = useStrings(resourcesStrings)
  const { targetReference, locationReferences, status } = usage
  const uses = usesOf(known.place, locationReferences)
  const target = nameOf(targetReference)
  const isBroken = status === "broken"
  return (
    <>
      <span className="list-icon">
        {isBroken ? <Unlink size={18} aria-hidden /> : <Link2 size={18} aria-hidden />}
      </span>
      <div className="list-text">
        <strong className="list-title">{target}</strong>
        <p className="list-detail link-places">
          {uses.map(({ page, title, path }) => (
            <Link key={page} to={path}>
              {title}
            </Link>
          ))}
        </p>
      </div>
      {isBroken && known.canEdit && targetReference.kind === "url" ? (
        <span className="list-actions">
          <Button
            size="small"
            onPress={() =>
              openDialog((onClose) => (
                <RepairDialog
                  known={known}
                  target={targetReference.url}
                  pageIds={uses.map(({ page }) => page)}
                  onClose={onClose}
                />
              ))
            }
          >
            {t("repair")}
          </Button>
        </span>
      ) : null}
    </>
  )
}

const Links = ({ known }: { readonly known: ResourcePlace }) => {
  const t = useStrings(resourcesStrings)
  const { query } = useAddress()
  const isAll = query.get("status") === "all"
  const links = useLinks(known.place, isAll ? undefined : "broken")
  const base = resourcePath(known.place, "links")
  return (
    <>
      <nav className="tabs" aria-label={t("state")}>
        <Link to={base} data-current={!isAll}>
          {t("broken")}
        </Link>
        <Link to={`${base}?status=all`} data-current={isAll}>
          {t("all")}
        </Link>
      </nav>
      <ItemList
        resource={links}
        keyOf={({ targetReference }) => JSON.stringify([targetReference.kind, nameOf(targetReference)])}
        empty={
          isAll ? (
            <p className="muted">{t("noLinks")}</p>
          ) : (
            <EmptyState icon={<Link2 />} title={t("noBroken")}>
              {t("noBrokenBody")}
            </EmptyState>
          )
        }
      >
        {(usage) => <LinkRow known={known} usage={usage} />}
      </ItemList>
    </>
  )
}

/** The links of a space, or of a change request. */
const LinksScreen = ({ params }: { readonly params: ResourceParams }) => {
  const t = useStrings(resourcesStrings)
  return (
    <ResourceFrame params={params} title={t("links")}>
      {(known) => <Links known={known} />}
    </ResourceFrame>
  )
}

export default LinksScreen
