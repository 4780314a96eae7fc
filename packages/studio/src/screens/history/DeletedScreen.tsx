/** The pages that were deleted from a space. */

import { Button } from "../../components/Button.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { EmptyState } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { runChange } from "../../data/change.ts"
import { editContent } from "../../data/content.ts"
import { useArchivedPages } from "../../data/revisions.ts"
import { spaceKey, useSpace } from "../../data/spaces.ts"
import { FileX2, RotateCcw } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { HistoryFrame } from "./HistoryFrame.tsx"
import { historyStrings } from "./strings.ts"

const restore = (spaceId: string, pageId: string, title: string) =>
  runChange({
    send: () => client.history.restoreArchivedPage({ params: { spaceId, pageId } }),
    message: translate(historyStrings, "pageRestored", { title }),
    failure: translate(historyStrings, "pageNotRestored", { title }),
    undo: () => editContent({ spaceId }, [{ operation: "delete_page", page: pageId }]),
    invalidates: [spaceKey(spaceId)]
  })

/** The pages that were deleted from a space. */
const DeletedScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(historyStrings)
  const space = useSpace(params.space)
  const pages = useArchivedPages(params.space)
  const canRestore = space.data?.permissions.edit === true && space.data.editMode !== "locked"
  return (
    <HistoryFrame spaceId={params.space} current="deletedPages">
      <ItemList
        resource={pages}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<FileX2 />} title={t("noDeleted")} actions={<HelpLink section="spaces" />}>
            {t("noDeletedBody")}
          </EmptyState>
        }
      >
        {({ id, title, archivedAt }) => (
          <ItemRow
            icon={<FileX2 size={18} aria-hidden />}
            title={title}
            details={<Time value={archivedAt} text={(time) => t("deleted", { time })} />}
            controls={
              canRestore ? (
                <Button
                  size="small"
                  icon={<RotateCcw size={14} aria-hidden />}
                  onPress={() => void restore(params.space, id, title)}
                >
                  {t("restore")}
                </Button>
              ) : undefined
            }
          />
        )}
      </ItemList>
    </HistoryFrame>
  )
}

export default DeletedScreen
