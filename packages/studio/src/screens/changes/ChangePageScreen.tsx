/** A page of a change request: for writing while the change request is open, and for reading otherwise. */

import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { FailedState } from "../../components/states.tsx"
import { requestEditorFocus } from "../../data/editorFocus.ts"
import { BookOpen, Pencil } from "../../icons/icons.gen.ts"
import { navigate, useAddress, withQuery } from "../../router/location.ts"
import { useStrings } from "../../strings/strings.ts"
import { PageView } from "../space/PageView.tsx"
import { spaceStrings } from "../space/strings.ts"
import { useCurrentPage } from "../space/useCurrentPage.ts"
import { usePlace } from "../space/usePlace.ts"
import { ChangeBar } from "./ChangeBar.tsx"
import { changesStrings } from "./strings.ts"
import { VisualEditor } from "./VisualEditor.tsx"

/** A page of a change request. */
const ChangePageScreen = ({
  params
}: {
  readonly params: { readonly space: string; readonly number: string; readonly page: string }
}) => {
  const t = useStrings(spaceStrings)
  const changes = useStrings(changesStrings)
  const address = useAddress()
  const known = usePlace(params.space, params.number)
  const current = useCurrentPage(known.place, params.page)
  const { data: request, error, reload } = known.changeRequest
  const { page } = current
  const view = address.query.get("view")
  const isWriting = known.canEdit && view !== "read"
  const organization = known.space.data?.organization
  const canWrite = known.canEdit && page?.type === "document"
  const toggle = () => {
    if (!isWriting) requestEditorFocus()
    navigate(withQuery(address, "view", isWriting ? "read" : undefined), { replace: true })
  }
  useActions(
    canWrite
      ? [
          { id: "change.view", label: isWriting ? t("read") : t("write"), shortcut: "e", run: toggle },
          {
            id: "change.markdown",
            label: changes("editAsMarkdown"),
            run: () => navigate(withQuery(address, "view", "markdown"), { replace: true })
          }
        ]
      : []
  )
  if (error !== undefined && request === undefined) return <FailedState error={error} onRetry={reload} />
  return (
    <PageView
      known={known}
      current={current}
      above={request === undefined ? null : <ChangeBar request={request} canEdit={known.canEdit} />}
      actions={
        canWrite ? (
          <Button
            size="small"
            icon={isWriting ? <BookOpen size={15} /> : <Pencil size={15} />}
            onPress={toggle}
          >
            {isWriting ? t("read") : t("write")}
          </Button>
        ) : undefined
      }
      body={
        !isWriting || page?.type !== "document" || organization === undefined ? undefined : (
          <VisualEditor
            key={page.id}
            place={known.place}
            organization={organization}
            page={page}
            isMarkdown={view === "markdown"}
          />
        )
      }
    />
  )
}

export default ChangePageScreen
