/** The dialogs that add items to the structure of a site, and edit them. */
import type { SiteStructure } from "@lectern/client/fetch"
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { useSpaces } from "../home/spaces.ts"
import { type KnownSite, refreshSite } from "./data.ts"
import { linkStrings } from "./linkStrings.ts"
import { siteStrings } from "./strings.ts"
import { removeItem } from "./structureChanges.ts"
import { type StructureItem, type StructureNode, structureNodes } from "./structureTree.ts"

/** An item with a path or with sections in it. */
type EditableItem = Exclude<StructureItem, { readonly kind: "link" }>

interface AddProps {
  readonly known: KnownSite
  readonly structure: SiteStructure
  readonly onClose: () => void
}

const spaceIdsIn = (nodes: ReadonlyArray<StructureNode>): ReadonlyArray<string> =>
  nodes.flatMap(({ item, children }) => [
    ...(item.kind === "space" ? [item.value.space.id] : []),
    ...spaceIdsIn(children)
  ])

const AddSpaceDialog = ({
  known,
  structure,
  kind,
  section,
  onClose
}: AddProps & { readonly kind: "space" | "section"; readonly section: string | undefined }) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const spaces = useSpaces()
  const used = new Set(spaceIdsIn(structureNodes(structure)))
  const options = (spaces.data ?? [])
    .filter(({ id }) => !used.has(id))
    .map(({ id, title }) => ({ value: id, label: title }))
  const [chosen, setChosen] = useState("")
  const [title, setTitle] = useState("")
  const spaceId = chosen === "" ? (options[0]?.value ?? "") : chosen
  const onSubmit = async () => {
    const { params } = known
    if (kind === "space") {
      const target = section === undefined ? {} : { sectionId: section }
      await client.siteSpaces.addSpaceToSite({ params, payload: { spaceId, ...target } })
    } else {
      const named = title.trim() === "" ? {} : { title: title.trim() }
      await client.siteSections.addSectionToSite({ params, payload: { spaceId, ...named } })
    }
    refreshSite(known)
  }
  return (
    <FormDialog
      title={kind === "space" ? t("addSpace") : t("addSection")}
      submit={common("add")}
      isDisabled={spaceId === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {options.length === 0 ? (
            <p className="muted">{t("noMoreSpaces")}</p>
          ) : (
            <SelectField label={t("space")} value={spaceId} options={options} onChange={setChosen} />
          )}
          {kind === "space" ? null : (
            <TextField
              label={common("title")}
              description={t("sectionTitleHint")}
              maxLength={64}
              value={title}
              onChange={setTitle}
              error={errorOf("title")}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

const AddGroupDialog = ({ known, onClose }: AddProps) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const [title, setTitle] = useState("")
  return (
    <FormDialog
      title={t("addGroup")}
      submit={common("add")}
      isDisabled={title.trim() === ""}
      onSubmit={async () => {
        await client.siteSectionGroups.addSectionGroupToSite({
          params: known.params,
          payload: { title: title.trim() }
        })
        refreshSite(known)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={common("title")}
          autoFocus
          maxLength={100}
          value={title}
          onChange={setTitle}
          error={errorOf("title")}
        />
      )}
    </FormDialog>
  )
}

/** Opens the dialog that adds a space, to a section if it is given. */
export const openAddSpace = (known: KnownSite, structure: SiteStructure, section?: string): void =>
  openDialog((onClose) => (
    <AddSpaceDialog known={known} structure={structure} kind="space" section={section} onClose={onClose} />
  ))

/** Opens the dialog that adds a section with a space. */
export const openAddSection = (known: KnownSite, structure: SiteStructure): void =>
  openDialog((onClose) => (
    <AddSpaceDialog
      known={known}
      structure={structure}
      kind="section"
      section={undefined}
      onClose={onClose}
    />
  ))

/** Opens the dialog that adds a group of sections. */
export const openAddGroup = (known: KnownSite, structure: SiteStructure): void =>
  openDialog((onClose) => <AddGroupDialog known={known} structure={structure} onClose={onClose} />)

interface EditProps {
  readonly known: KnownSite
  readonly item: EditableItem
  readonly onClose: () => void
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const EditDialog = ({ known, item, onClose }: EditProps) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const [title, setTitle] = useState(item.value.title)
  const [path, setPath] = useState(item.kind === "group" ? "" : item.value.path)
  const [condition, setCondition] = useState(item.kind === "group" ? "" : (item.value.condition ?? ""))
  const [description, setDescription] = useState(
    item.kind === "section" ? (item.value.description ?? "") : ""
  )
  const onSubmit = async () => {
    const { params } = known
    if (item.kind === "group") {
      await client.siteSectionGroups.updateSiteSectionGroupById({
        params: { ...params, siteSectionGroupId: item.id },
        payload: { title: title.trim() }
      })
    } else if (item.kind === "section") {
      await client.siteSections.updateSiteSectionById({
        params: { ...params, siteSectionId: item.id },
        payload: {
          title: title.trim(),
          path: path.trim(),
          condition: orNull(condition),
          description: orNull(description)
        }
      })
    } else {
      await client.siteSpaces.updateSiteSpaceById({
        params: { ...params, siteSpaceId: item.id },
        payload: { path: path.trim(), condition: orNull(condition) }
      })
    }
    refreshSite(known)
  }
  return (
    <FormDialog
      title={t("editItem", { title: item.value.title })}
      submit={common("save")}
      isDisabled={title.trim() === "" || (item.kind !== "group" && path.trim() === "")}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {item.kind === "space" ? null : (
            <TextField
              label={common("title")}
              maxLength={item.kind === "group" ? 100 : 128}
              value={title}
              onChange={setTitle}
              error={errorOf("title")}
            />
          )}
          {item.kind === "group" ? null : (
            <TextField
              label={t("path")}
              description={t("pathHint")}
              maxLength={100}
              value={path}
              onChange={setPath}
              error={errorOf("path")}
            />
          )}
          {item.kind === "section" ? (
            <TextField
              label={common("description")}
              maxLength={256}
              value={description}
              onChange={setDescription}
              error={errorOf("description")}
            />
          ) : null}
          {item.kind === "group" ? null : (
            <TextField
              label={t("condition")}
              description={t("conditionHint")}
              maxLength={1_024}
              value={condition}
              onChange={setCondition}
              error={errorOf("condition")}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that edits an item. */
export const openEditItem = (known: KnownSite, item: EditableItem): void =>
  openDialog((onClose) => <EditDialog known={known} item={item} onClose={onClose} />)

const removalKeys = {
  space: "removeSpaceBody",
  section: "removeSectionBody",
  group: "removeGroupBody"
} as const

const removalOf = ({ kind }: StructureItem): string =>
  kind === "link" ? translate(linkStrings, "removeBody") : translate(siteStrings, removalKeys[kind])

/** Confirms the removal of an item, and names the effect on its links. */
export const openRemoveItem = (known: KnownSite, item: StructureItem): void =>
  openConfirm({
    title: translate(siteStrings, "removeTitle", { title: item.value.title }),
    body: removalOf(item),
    confirm: translate(commonStrings, "remove"),
    run: () => void removeItem(known, item)
  })
