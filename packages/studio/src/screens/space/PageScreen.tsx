/** A page of the current content of a space. */
import type { Page } from "@lectern/client/fetch"
import { useState } from "react"
import { type Action, useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { showFailure } from "../../data/change.ts"
import { livePath, placePath } from "../../data/content.ts"
import { requestEditorFocus } from "../../data/editorFocus.ts"
import { beginChangeRequest } from "../../edits/beginChangeRequest.tsx"
import { Pencil } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { PageView } from "./PageView.tsx"
import { spaceStrings } from "./strings.ts"
import { useCurrentPage } from "./useCurrentPage.ts"
import { usePlace } from "./usePlace.ts"

/** The button that begins a change request, or continues one, and opens the same page in it. */
const EditButton = ({ spaceId, page }: { readonly spaceId: string; readonly page: Page }) => {
  const t = useStrings(spaceStrings)
  const session = useStore(sessionStore)
  const [isPending, setIsPending] = useState(false)
  const edit = async () => {
    if (session.state !== "signed-in" || isPending) return
    setIsPending(true)
    try {
      const { number } = await beginChangeRequest(spaceId, session.user.id, page.id)
      requestEditorFocus()
      navigate(placePath({ spaceId, change: String(number) }, page))
    } catch (error) {
      showFailure(t("editFailed"), error)
      setIsPending(false)
    }
  }
  useActions([{ id: "page.edit", label: t("edit"), shortcut: "e", run: () => void edit() }])
  return (
    <Button variant="primary" icon={<Pencil size={15} />} isPending={isPending} onPress={() => void edit()}>
      {t("edit")}
    </Button>
  )
}

/** Opens the editor of the published text. The choice of the action is the confirmation that the editor requires otherwise. */
const editLive = (spaceId: string, page: Page): void => {
  requestEditorFocus()
  navigate(livePath(spaceId, page))
}

/** A page of the current content of a space. */
const PageScreen = ({ params }: { readonly params: { readonly space: string; readonly page: string } }) => {
  const known = usePlace(params.space, undefined)
  const current = useCurrentPage(known.place, params.page)
  const t = useStrings(spaceStrings)
  const canEdit = known.space.data?.permissions.edit === true
  // The editor of the published text, in a space whose mode permits it.
  const { page } = current
  const others: ReadonlyArray<Action> =
    known.canEdit && page?.type === "document"
      ? [
          {
            id: "page.editLive",
            label: t("editLive"),
            run: () => editLive(params.space, page)
          }
        ]
      : []
  useActions(others)
  return (
    <PageView
      known={known}
      current={current}
      others={others}
      actions={
        canEdit && current.page !== undefined ? (
          <EditButton spaceId={params.space} page={current.page} />
        ) : undefined
      }
    />
  )
}

export default PageScreen
