/** A document for reading. */
import type { JSONDocumentEncoded } from "@lectern/client/fetch"
import { useStrings } from "../strings/strings.ts"
import "./document.css"
import { Blocks } from "./Blocks.tsx"
import type { BlockNode } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

/** Returns the blocks of a document. */
export const blocksOf = (document: JSONDocumentEncoded | undefined): ReadonlyArray<BlockNode> =>
  (document?.nodes ?? []) as unknown as ReadonlyArray<BlockNode>

/** A document, in the typography of published pages. */
export const DocumentView = ({ document }: { readonly document: JSONDocumentEncoded | undefined }) => {
  const t = useStrings(documentStrings)
  const nodes = blocksOf(document)
  return (
    <article className="document" translate="no">
      {nodes.length === 0 ? <p className="muted">{t("empty")}</p> : <Blocks nodes={nodes} />}
    </article>
  )
}
