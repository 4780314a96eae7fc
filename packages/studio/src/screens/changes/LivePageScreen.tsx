/** The published text of a page for writing, in a space whose mode permits it. The editor requires a confirmation before the first change. */

import { Button } from "../../components/Button.tsx"
import { placePath } from "../../data/content.ts"
import { BookOpen } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { useStrings } from "../../strings/strings.ts"
import { PageView } from "../space/PageView.tsx"
import { spaceStrings } from "../space/strings.ts"
import { useCurrentPage } from "../space/useCurrentPage.ts"
import { usePlace } from "../space/usePlace.ts"
import { VisualEditor } from "./VisualEditor.tsx"

/** A page of the current content of a space for writing. */
const LivePageScreen = ({
  params
}: {
  readonly params: { readonly space: string; readonly page: string }
}) => {
  const t = useStrings(spaceStrings)
  const known = usePlace(params.space, undefined)
  const current = useCurrentPage(known.place, params.page)
  const { page } = current
  const organization = known.space.data?.organization
  const read = () => navigate(page === undefined ? placePath(known.place) : placePath(known.place, page))
  return (
    <PageView
      known={known}
      current={current}
      actions={
        <Button size="small" icon={<BookOpen size={15} />} onPress={read}>
          {t("read")}
        </Button>
      }
      body={
        known.canEdit && page?.type === "document" && organization !== undefined ? (
          <VisualEditor key={page.id} place={known.place} organization={organization} page={page} />
        ) : undefined
      }
    />
  )
}

export default LivePageScreen
