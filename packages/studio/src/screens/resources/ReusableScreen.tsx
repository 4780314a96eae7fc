/** The reusable contents of a space, or of a change request. */
import type { ReusableContent } from "@lectern/client/fetch"
import { Blocks as BlocksIcon, Plus } from "lucide-react"
import { useState } from "react"
import { type Action, useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { editContent } from "../../data/content.ts"
import { placeOfEdits } from "../../data/editing.ts"
import { useReusableContents } from "../../data/reusable.ts"
import { navigate } from "../../router/location.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { affectedKeys } from "../space/pageChanges.ts"
import { ResourceFrame, type ResourceParams, type ResourcePlace, resourcePath } from "./ResourceFrame.tsx"
import { resourcesStrings } from "./strings.ts"
import { openReusableUses, useReusableUses } from "./UsedInDialog.tsx"

interface TitleDialogProps {
  readonly heading: string
  readonly submit: string
  readonly initial: string
  readonly onSubmit: (title: string) => Promise<void>
  readonly onClose: () => void
}

const TitleDialog = ({ heading, submit, initial, onSubmit, onClose }: TitleDialogProps) => {
  const t = useStrings(resourcesStrings)
  const [title, setTitle] = useState(initial)
  return (
    <FormDialog
      title={heading}
      submit={submit}
      isDisabled={title.trim() === "" || title.trim() === initial}
      onSubmit={() => onSubmit(title.trim())}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={t("title")}
          autoFocus
          maxLength={256}
          value={title}
          onChange={setTitle}
          error={errorOf("changes")}
        />
      )}
    </FormDialog>
  )
}

/** Returns the reusable content of a place that has a title and was not known before. */
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

const DeleteQuestion = ({
  known,
  content,
  onClose
}: {
  readonly known: ResourcePlace
  readonly content: ReusableContent
  readonly onClose: () => void
}) => {
  const uses = useReusableUses(known.place, content.id)
  const { id, title } = content
  const count = uses.data?.length
  // The question is complete once it is known how many pages use the content.
  if (count === undefined && uses.error === undefined) return null
  onClose()
  openConfirm({
    title: translate(resourcesStrings, "deleteTitle", { title }),
    body:
      count === undefined || count === 0
        ? translate(resourcesStrings, "deleteUnused")
        : translate(resourcesStrings, "deleteUsed", { count }),
    confirm: translate(resourcesStrings, "delete"),
    run: () =>
      void runChange({
        send: async () => {
          const target = await placeOfEdits(known.space, known.place)
          await editContent(target, [{ operation: "delete_reusable_content", reusableContent: id }])
        },
        message: translate(resourcesStrings, "deleted", { title }),
        failure: translate(resourcesStrings, "deleteFailed", { title }),
        invalidates: affectedKeys(known.place)
      })
  })
  return null
}

/** The actions on a reusable content. */
const actionsOf = (known: ResourcePlace, content: ReusableContent): ReadonlyArray<Action> => {
  const t = (key: "usedIn" | "rename" | "delete" | "save") => translate(resourcesStrings, key)
  const uses = {
    id: "uses",
    label: t("usedIn"),
    run: () => openReusableUses(known.place, content.id, content.title)
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
      run: () => openDialog((onClose) => <DeleteQuestion known={known} content={content} onClose={onClose} />)
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
        <EmptyState icon={<BlocksIcon />} title={t("noReusable")}>
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
