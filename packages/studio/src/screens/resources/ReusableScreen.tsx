/** The reusable contents of a space, or of a change request. */
import type { ReusableContent } from "@lectern/client/fetch"
import { type Action, useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { editContent } from "../../data/content.ts"
import { useReusableContents } from "../../data/reusable.ts"
import { placeOfEdits } from "../../edits/editing.ts"
import { Blocks as BlocksIcon, Plus } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { confirmDelete } from "./fileChanges.ts"
import { ResourceFrame, type ResourceParams, type ResourcePlace, resourcePath } from "./ResourceFrame.tsx"
import { resourcesStrings } from "./strings.ts"
import { TitleDialog } from "./TitleDialog.tsx"
import { openUses } from "./UsedInDialog.tsx"
import { loadReusableUses } from "./uses.ts"

const create = async ({ space, place }: ResourcePlace, title: string): Promise<void> => {
  const target = await placeOfEdits(space, place)
  await editContent(target, [{ operation: "insert_reusable_content", title }])
  for (const key of affectedKeys(target)) invalidate(key)
  if (target.change !== place.change) navigate(resourcePath(target, "reusable"))
}

const rename = (known: ResourcePlace, { id, title: before }: ReusableContent, title: string) => {
  const send = async (text: string) => {
    const target = await placeOfEdits(known.space, known.place)
    await editContent(target, [{ operation: "update_reusable_content", reusableContent: id, title: text }])
  }
  return runChange({
    send: () => send(title),
    message: translate(resourcesStrings, "renamed", { title }),
    failure: translate(resourcesStrings, "renameFailed"),
    undo: () => send(before),
    invalidates: affectedKeys(known.place)
  })
}

const confirmDeleteContent = ({ space, place }: ResourcePlace, content: ReusableContent): Promise<void> =>
  confirmDelete({
    space,
    place,
    title: content.title,
    loadUses: () => loadReusableUses(place, content),
    deletion: { operation: "delete_reusable_content", reusableContent: content.id },
    undo: (sent) =>
      editContent(sent.place, [
        { operation: "revert_reusable_content", reusableContent: content.id, revision: sent.before }
      ])
  })

/** The actions on a reusable content. */
const actionsOf = (known: ResourcePlace, content: ReusableContent): ReadonlyArray<Action> => {
  const t = (key: "usedIn" | "rename" | "delete" | "save" | "title") => translate(resourcesStrings, key)
  const uses = {
    id: "uses",
    label: t("usedIn"),
    run: () =>
      openUses({
        place: known.place,
        key: content.id,
        title: content.title,
        load: (signal) => loadReusableUses(known.place, content, signal)
      })
  }
  if (!known.canEdit) return [uses]
  return [
    uses,
    {
      id: "rename",
      label: t("rename"),
      run: () =>
        openDialog((onClose) => (
          <TitleDialog
            heading={t("rename")}
            field={t("title")}
            submit={t("save")}
            initial={content.title}
            onSubmit={async (title) => void rename(known, content, title)}
            onClose={onClose}
          />
        ))
    },
    {
      id: "delete",
      label: t("delete"),
      isDangerous: true,
      run: () => void confirmDeleteContent(known, content)
    }
  ]
}

const Contents = ({ known }: { readonly known: ResourcePlace }) => {
  const t = useStrings(resourcesStrings)
  const contents = useReusableContents(known.place)
  return (
    <ItemList
      resource={contents}
      keyOf={({ id }) => id}
      empty={
        <EmptyState icon={<BlocksIcon />} title={t("noReusable")} actions={<HelpLink section="blocks" />}>
          {t("noReusableBody")}
        </EmptyState>
      }
    >
      {(content) => (
        <ItemRow
          icon={<BlocksIcon size={18} aria-hidden />}
          title={content.title}
          to={resourcePath(known.place, `reusable/${content.id}`)}
          actions={actionsOf(known, content)}
        />
      )}
    </ItemList>
  )
}

const NewButton = ({ known }: { readonly known: ResourcePlace }) => {
  const t = useStrings(resourcesStrings)
  const open = () =>
    openDialog((onClose) => (
      <TitleDialog
        heading={t("newReusable")}
        field={t("title")}
        submit={t("create")}
        initial=""
        onSubmit={(title) => create(known, title)}
        onClose={onClose}
      />
    ))
  useActions([{ id: "reusable.new", label: t("newReusable"), run: open }])
  return (
    <Button variant="primary" icon={<Plus size={15} aria-hidden />} onPress={open}>
      {t("newReusable")}
    </Button>
  )
}

/** The reusable contents of a space, or of a change request. */
const ReusableScreen = ({ params }: { readonly params: ResourceParams }) => {
  const t = useStrings(resourcesStrings)
  return (
    <ResourceFrame
      params={params}
      title={t("reusable")}
      actions={(known) => (known.canEdit ? <NewButton known={known} /> : undefined)}
    >
      {(known) => <Contents known={known} />}
    </ResourceFrame>
  )
}

export default ReusableScreen
