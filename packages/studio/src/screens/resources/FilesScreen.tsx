/** The files of a space, or of a change request. */
import type { File as SpaceFile } from "@lectern/client/fetch"
import { type DragEvent, useRef, useState } from "react"
import type { Action } from "../../actions/actions.ts"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { TextField } from "../../components/fields.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { ItemRow } from "../../components/ItemList.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { Progress } from "../../components/Progress.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import type { Place } from "../../data/content.ts"
import { useFiles } from "../../data/files.ts"
import { FileText, Paperclip, Upload as UploadIcon } from "../../icons/icons.gen.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { confirmDeleteFile, renameFile } from "./fileChanges.ts"
import { ResourceFrame, type ResourceParams, type ResourcePlace } from "./ResourceFrame.tsx"
import { resourcesStrings } from "./strings.ts"
import { TitleDialog } from "./TitleDialog.tsx"
import { openUses } from "./UsedInDialog.tsx"
import { loadFileUses } from "./uses.ts"
import { type Uploads, useUploads } from "./useUploads.ts"

interface RowProps {
  readonly known: ResourcePlace
  readonly file: SpaceFile
  /** Opens the choice of the file that replaces this one, and uploads it. */
  readonly onReplace: (file: SpaceFile) => void
}

const FileRow = ({ known, file, onReplace }: RowProps) => {
  const t = useStrings(resourcesStrings)
  const { bytes } = useFormats()
  const { place, space, canEdit } = known
  const { name, contentType, downloadURL, size, dimensions } = file
  const actions: ReadonlyArray<Action> = [
    { id: "open", label: t("open"), run: () => void window.open(downloadURL, "_blank", "noreferrer") },
    { id: "uses", label: t("usedIn"), run: () => openFileUses(place, file) },
    ...(canEdit
      ? [
          {
            id: "rename",
            label: t("rename"),
            run: () =>
              openDialog((onClose) => (
                <TitleDialog
                  heading={t("rename")}
                  field={t("fileName")}
                  submit={t("save")}
                  initial={name}
                  onSubmit={async (changed) => void renameFile(space, place, file, changed)}
                  onClose={onClose}
                />
              ))
          },
          { id: "replace", label: t("replaceFile"), run: () => onReplace(file) },
          {
            id: "delete",
            label: t("delete"),
            isDangerous: true,
            run: () => void confirmDeleteFile(space, place, file)
          }
        ]
      : [])
  ]
  return (
    <ItemRow
      icon={
        contentType.startsWith("image/") ? (
          <img className="file-thumbnail" src={downloadURL} alt="" loading="lazy" />
        ) : (
          <FileText size={18} aria-hidden />
        )
      }
      title={name}
      details={
        <>
          <span>{bytes(size)}</span>
          {dimensions === undefined ? null : <span>{t("size", dimensions)}</span>}
        </>
      }
      actions={actions}
    />
  )
}

const openFileUses = (place: Place, file: SpaceFile): void =>
  openUses({
    place,
    key: file.id,
    title: file.name,
    load: (signal) => loadFileUses(place, file, signal)
  })

const UploadList = ({ uploads }: { readonly uploads: Uploads }) => {
  const t = useStrings(resourcesStrings)
  const shellRetry = t("upload")
  if (uploads.items.length === 0) return null
  return (
    <ul className="uploads" aria-label={t("upload")}>
      {uploads.items.map(({ id, file, fraction, failure }) => (
        <li key={id}>
          {failure === undefined ? (
            <>
              <Progress
                label={t("uploading", { name: file.name, percent: Math.round(fraction * 100) })}
                value={fraction}
              />
              <Button size="small" variant="quiet" onPress={() => uploads.remove(id)}>
                {t("cancel")}
              </Button>
            </>
          ) : (
            <>
              <p role="alert">{t("uploadFailed", { name: file.name, reason: failure })}</p>
              <Button size="small" onPress={() => uploads.retry(id)}>
                {shellRetry}
              </Button>
              <Button size="small" variant="quiet" onPress={() => uploads.remove(id)}>
                {t("dismiss")}
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

const filesOf = (list: FileList | null): ReadonlyArray<File> => (list === null ? [] : [...list])

const useDropping = (canDrop: boolean, onFiles: (files: ReadonlyArray<File>) => void) => {
  const [isOver, setIsOver] = useState(false)
  const hasFiles = (event: DragEvent) => canDrop && event.dataTransfer.types.includes("Files")
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(true)
      },
      onDragLeave: () => setIsOver(false),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles(filesOf(event.dataTransfer.files))
      }
    }
  }
}

const Files = ({ known }: { readonly known: ResourcePlace }) => {
  const t = useStrings(resourcesStrings)
  const { place, space, canEdit } = known
  const files = useFiles(place)
  const uploads = useUploads(space, place)
  const [filter, setFilter] = useState("")
  const input = useRef<HTMLInputElement>(null)
  const { isOver, handlers } = useDropping(canEdit, (dropped) => uploads.add(dropped))
  const replaced = useRef<SpaceFile>(undefined)
  const choose = (file?: SpaceFile) => {
    replaced.current = file
    if (input.current !== null) input.current.multiple = file === undefined
    input.current?.click()
  }
  useActions(canEdit ? [{ id: "files.upload", label: t("upload"), shortcut: "u", run: () => choose() }] : [])
  return (
    <section className={`drop-zone${isOver ? " is-over" : ""}`} aria-label={t("files")} {...handlers}>
      {canEdit ? (
        <div className="upload-row">
          <p className="muted">{t("dropHere")}</p>
          <Button variant="primary" icon={<UploadIcon size={15} aria-hidden />} onPress={() => choose()}>
            {t("upload")}
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={t("upload")}
            onChange={(event) => {
              uploads.add(filesOf(event.target.files), replaced.current)
              event.target.value = ""
            }}
          />
        </div>
      ) : null}
      <UploadList uploads={uploads} />
      <Loaded resource={files}>
        {(items) => {
          if (items.length === 0) {
            return (
              <EmptyState icon={<Paperclip />} title={t("noFiles")} actions={<HelpLink section="writing" />}>
                {t("noFilesBody")}
              </EmptyState>
            )
          }
          const shown = items.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
          return (
            <>
              <TextField label={t("filter")} type="search" value={filter} onChange={setFilter} />
              {shown.length === 0 ? <p className="muted">{t("noMatch")}</p> : null}
              <ul className="list">
                {shown.map((file) => (
                  <li key={file.id}>
                    <FileRow known={known} file={file} onReplace={choose} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

/** The files of a space, or of a change request. */
const FilesScreen = ({ params }: { readonly params: ResourceParams }) => {
  const t = useStrings(resourcesStrings)
  return (
    <ResourceFrame params={params} title={t("files")}>
      {(known) => <Files known={known} />}
    </ResourceFrame>
  )
}

export default FilesScreen
