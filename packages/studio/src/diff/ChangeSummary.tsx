/** The changes for readers, in words. */
import type { SemanticChange } from "@lectern/client/fetch"
import { useFormats } from "../strings/formats.ts"
import { useStrings } from "../strings/strings.ts"
import { diffStrings } from "./strings.ts"

const countOf = (changes: ReadonlyArray<SemanticChange>, prefix: string): number =>
  new Set(
    changes
      .filter(({ type }) => type.startsWith(prefix))
      .map((change) =>
        "page" in change ? change.page.id : "file" in change ? change.file.id : change.reusableContent.id
      )
  ).size

/** The summary of the changes. */
export const ChangeSummary = ({ changes }: { readonly changes: ReadonlyArray<SemanticChange> }) => {
  const t = useStrings(diffStrings)
  const { list } = useFormats()
  const counts = [
    ["pagesCreated", countOf(changes, "page_created")],
    ["pagesEdited", countOf(changes, "page_edited")],
    ["pagesMoved", countOf(changes, "page_moved")],
    ["pagesDeleted", countOf(changes, "page_deleted")],
    ["filesAdded", countOf(changes, "file_created")],
    ["filesChanged", countOf(changes, "file_edited")],
    ["filesDeleted", countOf(changes, "file_deleted")],
    ["otherChanged", countOf(changes, "reusable_content_")]
  ] as const
  const parts = counts.flatMap(([key, count]) => (count === 0 ? [] : [t(key, { count })]))
  return <p>{list(parts)}</p>
}
