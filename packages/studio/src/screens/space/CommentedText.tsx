/** The text of a page with its comments in the margin. It is loaded after the tree of pages is displayed. */
import { useComments } from "../../data/comments.ts"
import type { DocumentPage } from "../../data/content.ts"
import { navigate, useAddress } from "../../router/location.ts"
import { CommentableDocument } from "../comments/CommentableDocument.tsx"
import { anchorStore } from "../comments/commentAnchor.ts"
import { PageDocumentProvider } from "./PageDocumentProvider.tsx"
import type { KnownPlace } from "./usePlace.ts"

/** The text of a page with its comments in the margin. */
const CommentedText = ({ known, page }: { readonly known: KnownPlace; readonly page: DocumentPage }) => {
  const address = useAddress()
  const comments = useComments(known.place, page.id)
  const show = (comment: string | undefined) => {
    const query = new URLSearchParams(address.query)
    query.set("panel", "comments")
    query.delete("comment")
    if (comment !== undefined) query.set("comment", comment)
    navigate(`${address.path}?${query}`, { replace: true })
  }
  return (
    <PageDocumentProvider place={known.place} organizationId={known.space.data?.organization}>
      {page.description !== undefined && page.description !== "" ? (
        <p className="page-description">{page.description}</p>
      ) : null}
      <CommentableDocument
        document={page.document}
        comments={(comments.data ?? []).filter(({ status }) => status === "open")}
        canComment={known.space.data?.permissions.comment === true}
        page={page.id}
        onComment={(anchor) => {
          anchorStore.set(anchor)
          show(undefined)
        }}
        onShow={show}
      />
    </PageDocumentProvider>
  )
}

export default CommentedText
