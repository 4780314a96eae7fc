/** The dialogs that create, rename and move pages. */
import type { ContentChange, Page } from "@lectern/client/fetch"
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { childrenOf, editContent, type Place, parentsOf } from "../../data/content.ts"
import { requestEditorFocus } from "../../data/editorFocus.ts"
import { beginChangeRequest } from "../../edits/beginChangeRequest.tsx"
import { navigate } from "../../router/location.ts"
import { sessionStore } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { addressOfPage, affectedKeys, movePage, renamePage } from "./pageChanges.ts"
import { spaceStrings } from "./strings.ts"

const maximumTitle = 256

/** Returns the pages that can contain others, as choices. `without` and the pages below it are omitted. */
const choicesOf = (
  pages: ReadonlyArray<Page>,
  without: string | undefined,
  path: ReadonlyArray<string> = []
): ReadonlyArray<{ readonly value: string; readonly label: string }> =>
  pages.flatMap((page) => {
    if (page.id === without || !("pages" in page)) return []
    const titles = [...path, page.title]
    return [{ value: page.id, label: titles.join(" / ") }, ...choicesOf(childrenOf(page), without, titles)]
  })

/** Returns the change request in which a page is written; `parent` is a page that it must have. Rejects with `Declined`. */
const placeOfWriting = async (place: Place, parent: string | undefined): Promise<Place> => {
  const session = sessionStore.get()
  if (place.change !== undefined || session.state !== "signed-in") return place
  const { number } = await beginChangeRequest(place.spaceId, session.user.id, parent)
  return { spaceId: place.spaceId, change: String(number) }
}

interface CreateProps {
  readonly place: Place
  readonly pages: ReadonlyArray<Page>
  readonly kind: "document" | "group" | "link"
  readonly parent: string | undefined
  readonly onClose: () => void
}

const CreateDialog = ({ place, pages, kind, parent, onClose }: CreateProps) => {
  const t = useStrings(spaceStrings)
  const [title, setTitle] = useState("")
  const [url, setUrl] = useState("")
  const [into, setInto] = useState(parent ?? "")
  const titles = { document: t("newPage"), group: t("newGroup"), link: t("newLink") } as const
  const onSubmit = async () => {
    const change: ContentChange = {
      operation: "insert_page",
      type: kind,
      title: title.trim(),
      into: into === "" ? null : into,
      ...(kind === "link" ? { target: { kind: "url", url: url.trim() } } : {})
    }
    // A new page is written where an edit is: in a change request. Groups and links are not written.
    const target = kind === "document" ? await placeOfWriting(place, into === "" ? undefined : into) : place
    const [edited] = await editContent(target, [change])
    for (const key of affectedKeys(target)) invalidate(key)
    if (edited !== undefined && kind === "document") {
      requestEditorFocus("title")
      navigate(addressOfPage(target, typeof edited.page === "string" ? edited.page : edited.page.id))
    }
  }
  return (
    <FormDialog
      title={titles[kind]}
      submit={t("create")}
      isDisabled={title.trim() === "" || (kind === "link" && !URL.canParse(url.trim()))}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={kind === "group" ? t("groupTitle") : t("pageTitle")}
            autoFocus
            maxLength={maximumTitle}
            value={title}
            onChange={setTitle}
            error={errorOf("changes")}
          />
          {kind === "link" ? (
            <TextField
              label={t("address")}
              description={t("addressHint")}
              type="url"
              value={url}
              onChange={setUrl}
            />
          ) : null}
          <SelectField
            label={t("place")}
            value={into}
            options={[{ value: "", label: t("topLevel") }, ...choicesOf(pages, undefined)]}
            onChange={setInto}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that creates a page, a group or a link. */
export const openCreatePage = (
  place: Place,
  pages: ReadonlyArray<Page>,
  kind: CreateProps["kind"],
  parent?: string
): void =>
  openDialog((onClose) => (
    <CreateDialog place={place} pages={pages} kind={kind} parent={parent} onClose={onClose} />
  ))

const RenameDialog = ({
  place,
  page,
  onClose
}: {
  readonly place: Place
  readonly page: Page
  readonly onClose: () => void
}) => {
  const t = useStrings(spaceStrings)
  const [title, setTitle] = useState(page.title)
  return (
    <FormDialog
      title={t("rename")}
      submit={t("save")}
      isDisabled={title.trim() === "" || title.trim() === page.title}
      onSubmit={async () => void renamePage(place, page, title.trim())}
      onClose={onClose}
    >
      {() => (
        <TextField
          label={t("pageTitle")}
          autoFocus
          maxLength={maximumTitle}
          value={title}
          onChange={setTitle}
        />
      )}
    </FormDialog>
  )
}

/** Opens the dialog that renames a page. */
export const openRenamePage = (place: Place, page: Page): void =>
  openDialog((onClose) => <RenameDialog place={place} page={page} onClose={onClose} />)

const MoveDialog = ({
  place,
  pages,
  page,
  onClose
}: {
  readonly place: Place
  readonly pages: ReadonlyArray<Page>
  readonly page: Page
  readonly onClose: () => void
}) => {
  const t = useStrings(spaceStrings)
  const current = parentsOf(pages, page.id).at(-1)?.id ?? ""
  const [into, setInto] = useState(current)
  return (
    <FormDialog
      title={`${t("move")}: ${page.title}`}
      submit={t("move")}
      isDisabled={into === current}
      onSubmit={async () =>
        void movePage(place, pages, page, { parent: into === "" ? undefined : into, before: undefined })
      }
      onClose={onClose}
    >
      {() => (
        <SelectField
          label={t("place")}
          value={into}
          options={[{ value: "", label: t("topLevel") }, ...choicesOf(pages, page.id)]}
          onChange={setInto}
        />
      )}
    </FormDialog>
  )
}

/** Opens the dialog that moves a page. */
export const openMovePage = (place: Place, pages: ReadonlyArray<Page>, page: Page): void =>
  openDialog((onClose) => <MoveDialog place={place} pages={pages} page={page} onClose={onClose} />)
