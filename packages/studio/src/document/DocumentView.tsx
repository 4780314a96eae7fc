/** A document for reading. */
import type { JSONDocumentEncoded } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { useStrings } from "../strings/strings.ts"
import "./document.css"
import { Blocks, TextBlocks } from "./Blocks.tsx"
import { HeadingLevels } from "./HeadingLevels.tsx"
import { type BlockNode, stringOf } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

/** Returns the blocks of a document. */
export const blocksOf = (document: JSONDocumentEncoded | undefined): ReadonlyArray<BlockNode> =>
  (document?.nodes ?? []) as unknown as ReadonlyArray<BlockNode>

interface Footnote {
  readonly label?: unknown
  readonly nodes?: ReadonlyArray<BlockNode>
}

const Footnotes = ({ document }: { readonly document: JSONDocumentEncoded | undefined }) => {
  const t = useStrings(documentStrings)
  const { footnotes = [] } = (document?.data ?? {}) as { readonly footnotes?: ReadonlyArray<Footnote> }
  return footnotes.length === 0 ? null : (
    <section className="footnotes" role="doc-endnotes" aria-label={t("footnotes")}>
      <ol>
        {footnotes.map(({ label, nodes = [] }) => (
          <li key={stringOf(label)} id={`fn-${stringOf(label)}`}>
            {nodes.length === 1 ? <TextBlocks nodes={nodes} /> : <Blocks nodes={nodes} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The element of a document, in the typography of published pages. Its blocks are displayed by `children`. */
export const DocumentFrame = ({
  document,
  children
}: {
  readonly document: JSONDocumentEncoded | undefined
  readonly children: ReactNode
}) => (
  <article className="document" translate="no">
    <HeadingLevels blocks={blocksOf(document)}>{children}</HeadingLevels>
    <Footnotes document={document} />
  </article>
)

/** A document. */
export const DocumentView = ({ document }: { readonly document: JSONDocumentEncoded | undefined }) => {
  const t = useStrings(documentStrings)
  const nodes = blocksOf(document)
  return (
    <DocumentFrame document={document}>
      {nodes.length === 0 ? <p className="muted">{t("empty")}</p> : <Blocks nodes={nodes} />}
    </DocumentFrame>
  )
}
