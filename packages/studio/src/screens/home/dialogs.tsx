/** The dialogs that create, rename and move spaces and collections. */
import type { Collection, Organization, Space } from "@lectern/client/fetch"
import { useState } from "react"
import { ConfirmDialog } from "../../components/Dialog.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { showToast } from "../../data/toasts.ts"
import { navigate } from "../../router/location.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { type KnownPlaces, movePlace } from "./movePlace.ts"
import {
  createCollection,
  createSpace,
  deleteCollection,
  renameCollection,
  renameSpace,
  useCollections,
  useSpaces
} from "./spaces.ts"
import { homeStrings } from "./strings.ts"

/** The maximum lengths of titles, in characters. */
const maximumTitle = { space: 50, collection: 100 } as const

/** Returns the collections with their place, as choices. `without` and everything inside of it is omitted. */
const useTargets = (without?: string) => {
  const t = useStrings(homeStrings)
  const { data: collections = [] } = useCollections()
  const byId = new Map(collections.map((collection) => [collection.id, collection]))
  const pathOf = (collection: Collection): ReadonlyArray<Collection> => {
    const parent = collection.parent === undefined ? undefined : byId.get(collection.parent)
    return parent === undefined ? [collection] : [...pathOf(parent), collection]
  }
  const places = collections
    .map((collection) => ({
      id: collection.id,
      path: pathOf(collection),
      canCreate: collection.permissions.create
    }))
    .filter(({ path, canCreate }) => canCreate && !path.some(({ id }) => id === without))
    .map(({ id, path }) => ({ value: id, label: path.map(({ title }) => title).join(" / ") }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return [{ value: "", label: t("root") }, ...places]
}

interface CreateProps {
  readonly organization: Organization
  readonly kind: "space" | "collection"
  readonly parent: string | undefined
  readonly onClose: () => void
}

const CreateDialog = ({ organization, kind, parent, onClose }: CreateProps) => {
  const t = useStrings(homeStrings)
  const places = useTargets()
  const [title, setTitle] = useState("")
  const [place, setPlace] = useState(parent ?? "")
  const onSubmit = async () => {
    const target = place === "" ? undefined : place
    if (kind === "space") {
      const { id } = await createSpace(organization, title.trim(), target)
      navigate(`/spaces/${id}`)
    } else {
      await createCollection(organization, title.trim(), target)
      showToast({ kind: "done", message: t("collectionCreated") })
    }
  }
  return (
    <FormDialog
      title={kind === "space" ? t("newSpace") : t("newCollection")}
      submit={t("create")}
      isDisabled={title.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("title")}
            autoFocus
            maxLength={maximumTitle[kind]}
            placeholder={kind === "space" ? t("spaceTitlePlaceholder") : ""}
            value={title}
            onChange={setTitle}
            error={errorOf("title")}
          />
          <SelectField label={t("place")} value={place} options={places} onChange={setPlace} />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that creates a space. */
export const openCreateSpace = (organization: Organization, parent?: string): void =>
  openDialog((onClose) => (
    <CreateDialog organization={organization} kind="space" parent={parent} onClose={onClose} />
  ))

/** Opens the dialog that creates a collection. */
export const openCreateCollection = (organization: Organization, parent?: string): void =>
  openDialog((onClose) => (
    <CreateDialog organization={organization} kind="collection" parent={parent} onClose={onClose} />
  ))

interface RenameProps {
  readonly current: string
  readonly maximum: number
  readonly onRename: (title: string) => void
  readonly onClose: () => void
}

const RenameDialog = ({ current, maximum, onRename, onClose }: RenameProps) => {
  const t = useStrings(homeStrings)
  const [title, setTitle] = useState(current)
  const isUnchanged = title.trim() === "" || title.trim() === current
  return (
    <FormDialog
      title={t("rename")}
      submit={t("save")}
      isDisabled={isUnchanged}
      onSubmit={async () => onRename(title.trim())}
      onClose={onClose}
    >
      {() => <TextField label={t("title")} autoFocus maxLength={maximum} value={title} onChange={setTitle} />}
    </FormDialog>
  )
}

/** Opens the dialog that renames a space. */
export const openRenameSpace = (space: Space): void =>
  openDialog((onClose) => (
    <RenameDialog
      current={space.title}
      maximum={maximumTitle.space}
      onRename={(title) => void renameSpace(space, title)}
      onClose={onClose}
    />
  ))

/** Opens the dialog that renames a collection. */
export const openRenameCollection = (collection: Collection): void =>
  openDialog((onClose) => (
    <RenameDialog
      current={collection.title}
      maximum={maximumTitle.collection}
      onRename={(title) => void renameCollection(collection, title)}
      onClose={onClose}
    />
  ))

interface MoveProps {
  readonly id: string
  readonly title: string
  readonly parent: string | undefined
  readonly onMove: (known: KnownPlaces, parent: string | undefined) => void
  readonly onClose: () => void
}

const MoveDialog = ({ id, title, parent, onMove, onClose }: MoveProps) => {
  const t = useStrings(homeStrings)
  const places = useTargets(id)
  const collections = useCollections()
  const spaces = useSpaces()
  const [place, setPlace] = useState(parent ?? "")
  return (
    <FormDialog
      title={`${t("move")}: ${title}`}
      submit={t("move")}
      isDisabled={place === (parent ?? "")}
      onSubmit={async () =>
        onMove(
          { collections: collections.data ?? [], spaces: spaces.data ?? [] },
          place === "" ? undefined : place
        )
      }
      onClose={onClose}
    >
      {() => <SelectField label={t("place")} value={place} options={places} onChange={setPlace} />}
    </FormDialog>
  )
}

/** Opens the dialog that moves a space. */
export const openMoveSpace = (space: Space): void =>
  openDialog((onClose) => (
    <MoveDialog
      {...space}
      parent={space.parent}
      onMove={(known, parent) => void movePlace(known, space.id, { parent, before: undefined })}
      onClose={onClose}
    />
  ))

/** Opens the dialog that moves a collection. */
export const openMoveCollection = (collection: Collection): void =>
  openDialog((onClose) => (
    <MoveDialog
      {...collection}
      parent={collection.parent}
      onMove={(known, parent) => void movePlace(known, collection.id, { parent, before: undefined })}
      onClose={onClose}
    />
  ))

/** Confirms the deletion of a collection, which cannot be undone. */
export const openDeleteCollection = (collection: Collection): void =>
  openDialog((onClose) => (
    <ConfirmDialog
      title={`${translate(homeStrings, "removeCollection")}: ${collection.title}`}
      confirm={translate(homeStrings, "removeCollection")}
      onConfirm={() => void deleteCollection(collection)}
      onClose={onClose}
    >
      <p>{translate(homeStrings, "removeCollectionBody")}</p>
    </ConfirmDialog>
  ))
