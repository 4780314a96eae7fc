/** The difference of a page: its place, its fields and its text. */
import type { Page } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { Loaded, Skeleton } from "../components/states.tsx"
import { blocksOf } from "../document/DocumentView.tsx"
import { Link } from "../router/Link.tsx"
import { useStrings } from "../strings/strings.ts"
import { useChangedFields } from "./changedFields.ts"
import {
  type ChangedPage,
  type Comparison,
  type PageVersions,
  useMove,
  usePageVersions
} from "./comparison.ts"
import { type BlockCommenting, type DiffLayout, DiffView } from "./DiffView.tsx"
import { diffStrings } from "./strings.ts"

/** The classes of the tags of changes. */
export const tagClasses = {
  created: "tag tag-success",
  edited: "tag tag-warning",
  moved: "tag tag-primary",
  deleted: "tag tag-danger"
} as const

/** Returns the kind of a change. */
export const kindOf = (type: string): keyof typeof tagClasses =>
  type.slice(type.lastIndexOf("_") + 1) as keyof typeof tagClasses

const documentOf = (page: Page | undefined) => (page?.type === "document" ? page.document : undefined)

/** The places of a moved page: the pages above it, and its position among its siblings. */
const Move = ({ comparison, page }: { readonly comparison: Comparison; readonly page: string }) => {
  const t = useStrings(diffStrings)
  const places = useMove(comparison, page)
  if (places === undefined) return null
  const [before, after] = places.map(({ parents, position }) =>
    t("placeInTree", {
      parents: parents.length === 0 ? t("topLevel") : parents.map(({ title }) => title).join(" / "),
      position
    })
  )
  return <p className="small muted">{t("placeChanged", { before: before!, after: after! })}</p>
}

/** The change of the path of a page, which its move or the one of a page above it can cause. */
const AddressChange = ({ before, after }: PageVersions) => {
  const t = useStrings(diffStrings)
  const [old, current] = [before, after].map((page) =>
    page !== undefined && "path" in page ? page.path : undefined
  )
  if (old === undefined || current === undefined || old === current) return null
  return <p className="small muted">{t("addressChanged", { before: `/${old}`, after: `/${current}` })}</p>
}

const PageText = ({
  versions: { before, after },
  layout,
  onComment
}: {
  readonly versions: PageVersions
  readonly layout: DiffLayout
  readonly onComment: BlockCommenting | undefined
}) => {
  const t = useStrings(diffStrings)
  const page = after ?? before
  if (page?.type === "group" || page?.type === "link") {
    return <p className="small muted">{t(page.type)}</p>
  }
  return (
    <DiffView
      before={blocksOf(documentOf(before))}
      after={blocksOf(documentOf(after))}
      layout={layout}
      onComment={onComment}
    />
  )
}

/** Properties of {@link PageDifference}. */
export interface PageDifferenceProps {
  readonly comparison: Comparison
  readonly page: ChangedPage
  readonly layout: DiffLayout
  readonly controls?: ReactNode
  readonly footer?: ReactNode
  readonly onComment?: BlockCommenting | undefined
}

/** The difference of a page. */
export const PageDifference = ({
  comparison,
  page,
  layout,
  controls,
  footer,
  onComment
}: PageDifferenceProps) => {
  const t = useStrings(diffStrings)
  const versions = usePageVersions(comparison, page)
  const fieldsOf = useChangedFields()
  const types = [...new Set(page.changes.map(({ type }) => type))]
  const to = types.includes("page_deleted") ? undefined : comparison.pagePath(page.id)
  const fields = page.changes.flatMap(fieldsOf)
  return (
    <section className="change" tabIndex={-1} aria-label={page.title} data-change={page.id}>
      <header className="change-header">
        <h3>{to === undefined ? page.title : <Link to={to}>{page.title}</Link>}</h3>
        {types.map((type) => (
          <span key={type} className={tagClasses[kindOf(type)]}>
            {t(kindOf(type))}
          </span>
        ))}
        {controls === undefined ? null : <span className="change-controls">{controls}</span>}
      </header>
      {page.changes.map((change) =>
        change.type === "page_moved" ? (
          <Move key={change.type} comparison={comparison} page={page.id} />
        ) : null
      )}
      {fields.length === 0 ? null : (
        <ul className="small muted">
          {fields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
      <Loaded resource={versions} skeleton={<Skeleton rows={4} />}>
        {(known) => (
          <>
            <AddressChange {...known} />
            <PageText versions={known} layout={layout} onComment={onComment} />
          </>
        )}
      </Loaded>
      {footer}
    </section>
  )
}
