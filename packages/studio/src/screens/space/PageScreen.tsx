/** A page of the current content of a space. */
import { Pencil } from "lucide-react"
import { useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { showFailure } from "../../data/change.ts"
import { beginChangeRequest } from "../../data/changeRequests.ts"
import { placePath } from "../../data/content.ts"
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

/** The button that opens the published text for writing, in a space whose mode permits it. */
const LiveButton = ({ spaceId, rest }: { readonly spaceId: string; readonly rest: string }) => {
  const t = useStrings(spaceStrings)
  const open = () => navigate(fillPath("/spaces/:space/live/*page", { space: spaceId, page: rest }))
  useActions([{ id: "page.editLive", label: t("editLive"), run: open }])
  return (
    <Button variant="quiet" onPress={open}>
      {t("editLive")}
    </Button>
  )
}

/** A page of the current content of a space. */
const PageScreen = ({ params }: { readonly params: { readonly space: string; readonly page: string } }) => {
  const known = usePlace(params.space, undefined)
  const current = useCurrentPage(known.place, params.page)
  const canEdit = known.space.data?.permissions.edit === true
  return (
    <PageView
      known={known}
      current={current}
      actions={
        canEdit && current.page !== undefined ? (
          <>
            {known.canEdit && current.page.type === "document" ? (
              <LiveButton spaceId={params.space} rest={params.page} />
            ) : null}
            <EditButton spaceId={params.space} rest={params.page} />
          </>
        ) : undefined
      }
    />
  )
}

export default PageScreen
