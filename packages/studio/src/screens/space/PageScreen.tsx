/** A page of the current content of a space. */

import { useState } from "react"
import { type Action, useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { showFailure } from "../../data/change.ts"
import { placePath } from "../../data/content.ts"
import { requestEditorFocus } from "../../data/editorFocus.ts"
import { beginChangeRequest } from "../../edits/beginChangeRequest.tsx"
import { Pencil } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { fillPath } from "../../router/paths.ts"
import { sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { PageView } from "./PageView.tsx"
import { spaceStrings } from "./strings.ts"
import { useCurrentPage } from "./useCurrentPage.ts"
import { usePlace } from "./usePlace.ts"

/** The button that begins a change request, or continues one, and opens the same page in it. */
const EditButton = ({ spaceId, rest }: { readonly spaceId: string; readonly rest: string }) => {
  const t = useStrings(spaceStrings)
  const session = useStore(sessionStore)
  const [isPending, setIsPending] = useState(false)
  const edit = async () => {
    if (session.state !== "signed-in" || isPending) return
    setIsPending(true)
    try {
      const { number } = await beginChangeRequest(spaceId, session.user.id)
      const place = placePath({ spaceId, change: String(number) })
      requestEditorFocus()
      navigate(rest === "" ? place : `${place}/${rest.split("/").map(encodeURIComponent).join("/")}`)
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

/** A page of the current content of a space. */
const PageScreen = ({ params }: { readonly params: { readonly space: string; readonly page: string } }) => {
  const known = usePlace(params.space, undefined)
  const current = useCurrentPage(known.place, params.page)
  const t = useStrings(spaceStrings)
  const canEdit = known.space.data?.permissions.edit === true
  // The editor of the published text, in a space whose mode permits it.
  const others: ReadonlyArray<Action> =
    known.canEdit && current.page?.type === "document"
      ? [
          {
            id: "page.editLive",
            label: t("editLive"),
            run: () =>
              navigate(fillPath("/spaces/:space/live/*page", { space: params.space, page: params.page }))
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
          <EditButton spaceId={params.space} rest={params.page} />
        ) : undefined
      }
    />
  )
}

export default PageScreen
