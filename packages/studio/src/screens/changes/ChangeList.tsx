/** The changes of a change request, page by page, with the difference of each. */
import type { ChangeRequest, SemanticChange } from "@lectern/client/fetch"
import { ApiError, type Page } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Loaded, Skeleton } from "../../components/states.tsx"
import { changeKey } from "../../data/changeRequests.ts"
import { loadPage } from "../../data/content.ts"
import { useResource } from "../../data/useResource.ts"
import { type DiffLayout, DiffView } from "../../diff/DiffView.tsx"
import { blocksOf } from "../../document/DocumentView.tsx"
import { Link } from "../../router/Link.tsx"
import { client } from "../../session.ts"
import { readStored, writeStored } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { PageDocumentProvider } from "../space/PageDocumentProvider.tsx"
import { changesStrings } from "./strings.ts"

type PageChange = Extract<SemanticChange, { readonly page: unknown }>

interface ChangedPage {
  readonly id: string
  readonly title: string
  readonly changes: ReadonlyArray<PageChange>
}

const isPageChange = (change: SemanticChange): change is PageChange => "page" in change

/** Groups the changes by page, in their order. */
const byPage = (changes: ReadonlyArray<SemanticChange>): ReadonlyArray<ChangedPage> =>
  Array.from(
    Map.groupBy(changes.filter(isPageChange), ({ page }) => page.id),
    ([id, list]) => ({ id, title: list[0]!.page.title, changes: list })
  )

/** Returns the revision of the space that the change request is compared with. */
const baseRevision = ({ revisionMergedAncestor, revisionInitial }: ChangeRequest): string =>
  revisionMergedAncestor ?? revisionInitial

const missing = (error: unknown): undefined => {
  if (error instanceof ApiError && error._tag === "NotFound") return undefined
  throw error
}

const usePageVersions = (request: ChangeRequest, { id: pageId, changes }: ChangedPage) => {
  const isNew = changes.some(({ type }) => type === "page_created")
  const isGone = changes.some(({ type }) => type === "page_deleted")
  const { space, number, revision } = request
  const base = baseRevision(request)
  return useResource(
    `${changeKey(space, String(number))}/versions/${pageId}/${base}/${revision}`,
    async (signal) => {
      const [before, after] = await Promise.all([
        isNew
          ? undefined
          : client.revisions
              .getPageInRevisionById(
                { params: { spaceId: space, revisionId: base, pageId }, query: { format: "document" } },
                { signal }
              )
              .catch(missing),
        isGone
          ? undefined
          : loadPage({ spaceId: space, change: String(number) }, pageId, "document", signal).catch(missing)
      ])
      return { before, after }
    },
    { staleAfterMs: 60_000 }
  )
}

const documentOf = (page: Page | undefined) => (page?.type === "document" ? page.document : undefined)

const displayValue = (value: unknown, empty: string): string => {
  if (value === undefined || value === null || value === "") return empty
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** The fields of a page that differ, other than its text. */
const FieldChanges = ({ change }: { readonly change: PageChange }) => {
  const t = useStrings(changesStrings)
  if (change.type === "page_moved") {
    const { before, after } = change.parent
    return (
      <p className="small muted">
        {t("movedFromTo", {
          before: before?.title ?? t("topLevel"),
          after: after?.title ?? t("topLevel")
        })}
      </p>
    )
  }
  if (change.type !== "page_edited") return null
  const fields = Object.entries(change.attributes).filter(([name]) => name !== "document")
  return (
    <ul className="small muted">
      {fields.map(([field, { before, after }]) => (
        <li key={field}>
          {t("fieldChanged", {
            field,
            before: displayValue(before, t("empty")),
            after: displayValue(after, t("empty"))
          })}
        </li>
      ))}
    </ul>
  )
}

const tagClasses = {
  page_created: "tag tag-success",
  page_edited: "tag tag-warning",
  page_moved: "tag tag-primary",
  page_deleted: "tag tag-danger"
} as const

const tagTexts = {
  page_created: "created",
  page_edited: "edited",
  page_moved: "moved",
  page_deleted: "deleted"
} as const

interface PageDifferenceProps {
  readonly request: ChangeRequest
  readonly page: ChangedPage
  readonly layout: DiffLayout
}

const PageDifference = ({ request, page, layout }: PageDifferenceProps) => {
  const t = useStrings(changesStrings)
  const versions = usePageVersions(request, page)
  const types = [...new Set(page.changes.map(({ type }) => type))]
  const isDeleted = types.includes("page_deleted")
  const to = `/spaces/${request.space}/changes/${request.number}/~page/${page.id}`
  return (
    <section className="change" tabIndex={-1} aria-label={page.title} data-change={page.id}>
      <header className="change-header">
        <h3>{isDeleted ? page.title : <Link to={to}>{page.title}</Link>}</h3>
        {types.map((type) => (
          <span key={type} className={tagClasses[type]}>
            {t(tagTexts[type])}
          </span>
        ))}
      </header>
      {page.changes.map((change) => (
        <FieldChanges key={change.type} change={change} />
      ))}
      <Loaded resource={versions} skeleton={<Skeleton rows={4} />}>
        {({ before, after }) => (
          <DiffView
            before={blocksOf(documentOf(before))}
            after={blocksOf(documentOf(after))}
            layout={layout}
          />
        )}
      </Loaded>
    </section>
  )
}

const OtherChange = ({ change }: { readonly change: Exclude<SemanticChange, PageChange> }) => {
  const t = useStrings(changesStrings)
  const kind = change.type.endsWith("created")
    ? "created"
    : change.type.endsWith("deleted")
      ? "deleted"
      : "edited"
  const title = "file" in change ? change.file.name : change.reusableContent.title
  const isImage = "file" in change && change.file.contentType.startsWith("image/") && kind !== "deleted"
  return (
    <section className="change" tabIndex={-1} aria-label={title}>
      <header className="change-header">
        <h3>{title}</h3>
        <span className={tagClasses[`page_${kind}`]}>{t(kind)}</span>
      </header>
      {isImage ? <img className="change-image" src={change.file.downloadURL} alt={title} /> : null}
    </section>
  )
}

const layouts = ["inline", "side"] as const

const readLayout = (): DiffLayout => (readStored("diffLayout") === "side" ? "side" : "inline")

/** The changes of a change request. `j` and `k` go to the next and to the previous one. */
export const ChangeList = ({
  request,
  changes
}: {
  readonly request: ChangeRequest
  readonly changes: ReadonlyArray<SemanticChange>
}) => {
  const t = useStrings(changesStrings)
  const [layout, setLayout] = useState(readLayout)
  const container = useRef<HTMLDivElement>(null)
  const step = (direction: 1 | -1) => {
    const sections = [...(container.current?.querySelectorAll<HTMLElement>(".change") ?? [])]
    const index = sections.indexOf(document.activeElement as HTMLElement)
    const next = sections[index < 0 ? (direction > 0 ? 0 : sections.length - 1) : index + direction]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: "start", behavior: "smooth" })
  }
  useEffect(() => writeStored("diffLayout", layout), [layout])
  useActions([
    { id: "change.next", label: t("nextChange"), shortcut: "j", run: () => step(1) },
    { id: "change.previous", label: t("previousChange"), shortcut: "k", run: () => step(-1) }
  ])
  return (
    <PageDocumentProvider place={{ spaceId: request.space, change: String(request.number) }}>
      <fieldset className="segments">
        <legend className="visually-hidden">{t("view")}</legend>
        {layouts.map((name) => (
          <label key={name} className="segment">
            <input type="radio" name="layout" checked={layout === name} onChange={() => setLayout(name)} />
            {name === "inline" ? t("inline") : t("sideBySide")}
          </label>
        ))}
      </fieldset>
      <div ref={container}>
        {byPage(changes).map((page) => (
          <PageDifference key={page.id} request={request} page={page} layout={layout} />
        ))}
        {changes.map((change) =>
          isPageChange(change) ? null : (
            <OtherChange
              key={`${change.type} ${"file" in change ? change.file.id : change.reusableContent.id}`}
              change={change}
            />
          )
        )}
      </div>
    </PageDocumentProvider>
  )
}
