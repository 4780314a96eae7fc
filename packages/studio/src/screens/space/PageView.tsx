/** A page for reading: its place, its title, its text, and its panels. */
import type { Page } from "@lectern/client/fetch"
import { lazy, type ReactNode, Suspense } from "react"
import { type Action, useActions } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button, ButtonLink, IconButton } from "../../components/Button.tsx"
import { HelpLink } from "../../components/HelpLink.tsx"
import { PageIcon } from "../../components/PageIcon.tsx"
import { usePanel } from "../../components/Panel.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, FailedState, Loaded, Skeleton } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { useChangeRequests } from "../../data/changeRequests.ts"
import { placePath } from "../../data/content.ts"
import { waitForTree } from "../../data/displayedTree.ts"
import { ExternalLink, FileText, List, MessageSquare, Settings2 } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { openCreatePage } from "./openPageDialogs.ts"
import { PageCover } from "./PageCover.tsx"
import { pageActions } from "./pageActions.ts"
import { spaceStrings } from "./strings.ts"
import { type CurrentPage, useRecentPage } from "./useCurrentPage.ts"
import type { KnownPlace } from "./usePlace.ts"

const CommentedText = lazy(async () => {
  await waitForTree()
  return import("./CommentedText.tsx")
})
const CommentsPanel = lazy(() => import("../comments/CommentsPanel.tsx"))
const OutlinePanel = lazy(() => import("./OutlinePanel.tsx"))
const SettingsPanel = lazy(() => import("./SettingsPanel.tsx"))

/** Properties of {@link PageView}. */
export interface PageViewProps {
  readonly known: KnownPlace
  readonly current: CurrentPage
  /** Further actions of the menu, before the actions of the page. */
  readonly others?: ReadonlyArray<Action>
  /** The primary action, last. */
  readonly actions?: ReactNode
  /** Displayed above the page, such as the change request. */
  readonly above?: ReactNode
  /** Displayed instead of the title and the text, such as an editor. */
  readonly body?: ReactNode
}

const Breadcrumbs = ({ known, current }: PageViewProps) => {
  const title = known.space.data?.title ?? ""
  return (
    <nav className="breadcrumbs">
      <Link to={placePath(known.place)}>{title}</Link>
      {current.parents.map((page) => (
        <span key={page.id} className="breadcrumbs">
          <span aria-hidden>/</span>
          <Link to={placePath(known.place, page)}>{page.title}</Link>
        </span>
      ))}
    </nav>
  )
}

const OtherPage = ({ page }: { readonly page: Page }) => {
  const t = useStrings(spaceStrings)
  if (page.type === "group") return <p className="muted">{t("groupBody")}</p>
  if (page.type === "computed") return <p className="muted">{t("computedBody")}</p>
  if (page.type !== "link") return null
  const target = page.target.kind === "url" ? page.target.url : (page.href ?? page.title)
  return <p className="muted">{t("linkBody", { target })}</p>
}

const PageText = ({ known, current }: PageViewProps) => {
  const { page, loaded } = current
  if (page === undefined) return null
  if (page.type !== "document") return <OtherPage page={page} />
  return (
    <Loaded resource={loaded} skeleton={<Skeleton rows={8} kind="text" />}>
      {(full) =>
        full.type === "document" ? (
          <Suspense fallback={<Skeleton rows={8} kind="text" />}>
            <CommentedText known={known} page={full} />
          </Suspense>
        ) : null
      }
    </Loaded>
  )
}

/** Leads from a space without pages to its open change requests, such as that of an import, which have the first ones. */
const WaitingRequests = ({ spaceId }: { readonly spaceId: string }) => {
  const t = useStrings(spaceStrings)
  const drafts = useChangeRequests(spaceId, "draft").data ?? []
  const inReview = useChangeRequests(spaceId, "open").data ?? []
  const [first, ...others] = [...inReview, ...drafts]
  if (first === undefined) return null
  const list = `/spaces/${spaceId}/changes`
  return (
    <ButtonLink
      to={others.length === 0 ? `${list}/${first.number}/review` : `${list}?status=${first.status}`}
    >
      {t("openRequests", { count: others.length + 1 })}
    </ButtonLink>
  )
}

const NoPage = ({ known, current }: PageViewProps) => {
  const t = useStrings(spaceStrings)
  const pages = current.pages.data ?? []
  if (pages.length > 0) {
    return (
      <EmptyState
        icon={<FileText />}
        title={t("noPage")}
        actions={<ButtonLink to={placePath(known.place)}>{t("goToStart")}</ButtonLink>}
      >
        {t("noPageBody")}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<FileText />}
      title={t("noPages")}
      actions={
        known.canEdit ? (
          <>
            <Button variant="primary" onPress={() => void openCreatePage(known.place, pages, "document")}>
              {t("newPage")}
            </Button>
            {known.place.change === undefined ? (
              <>
                <ButtonLink to={`/spaces/${known.place.spaceId}/import`}>{t("importPages")}</ButtonLink>
                <WaitingRequests spaceId={known.place.spaceId} />
              </>
            ) : null}
            <HelpLink section="writing" />
          </>
        ) : null
      }
    >
      {t("noPagesBody")}
    </EmptyState>
  )
}

const publishedUrl = (base: string, page: Page): string => {
  const path = "path" in page ? page.path : ""
  return `${base.replace(/\/+$/, "")}/${path}`
}

const PanelButtons = ({ known, current, others = [] }: PageViewProps) => {
  const t = useStrings(spaceStrings)
  const shell = useStrings(shellStrings)
  const [panel, setPanel] = usePanel()
  const published = known.space.data?.urls.published
  const toggle = (name: string) => setPanel(panel === name ? undefined : name)
  const isDocument = current.page?.type === "document"
  const more =
    current.page === undefined
      ? []
      : pageActions(known.place, current.pages.data ?? [], current.page, known.canEdit)
  useActions([
    ...(isDocument
      ? [
          { id: "page.comments", label: t("comments"), shortcut: "n", run: () => toggle("comments") },
          { id: "page.outline", label: t("outline"), shortcut: "o", run: () => toggle("outline") }
        ]
      : []),
    ...(known.canEdit && isDocument
      ? [{ id: "page.settings", label: t("settings"), shortcut: "s", run: () => toggle("settings") }]
      : []),
    ...more.map((action) => ({ ...action, about: current.page?.title }))
  ])
  const menu = <ActionMenu label={shell("moreActions")} actions={[...others, ...more]} />
  if (!isDocument || current.page === undefined) return menu
  return (
    <>
      {published === undefined || known.place.change !== undefined ? null : (
        <a
          className="icon-button"
          href={publishedUrl(published, current.page)}
          target="_blank"
          rel="noreferrer"
          aria-label={t("openPublished")}
          title={t("openPublished")}
        >
          <ExternalLink size={17} aria-hidden />
        </a>
      )}
      <IconButton
        label={t("comments")}
        icon={<MessageSquare size={17} />}
        isActive={panel === "comments"}
        onPress={() => toggle("comments")}
      />
      <IconButton
        label={t("outline")}
        icon={<List size={18} />}
        isActive={panel === "outline"}
        onPress={() => toggle("outline")}
      />
      {known.canEdit ? (
        <IconButton
          label={t("settings")}
          icon={<Settings2 size={18} />}
          isActive={panel === "settings"}
          onPress={() => toggle("settings")}
        />
      ) : null}
      {menu}
    </>
  )
}

const Panels = ({ known, current }: PageViewProps) => {
  const [panel] = usePanel()
  const page = current.loaded.data
  if (page === undefined || page.type !== "document") return null
  if (panel === "comments") {
    const space = known.space.data
    return space === undefined ? null : (
      <CommentsPanel key={page.id} place={known.place} space={space} page={page} />
    )
  }
  if (panel === "outline") return <OutlinePanel page={page} />
  return panel === "settings" && known.canEdit ? (
    <SettingsPanel key={page.id} place={known.place} page={page} />
  ) : null
}

/** A page, with its panels. */
export const PageView = (properties: PageViewProps) => {
  const t = useStrings(spaceStrings)
  const { known, current, actions, above, body } = properties
  const { pages, page, loaded } = current
  const title = loaded.data?.title ?? page?.title ?? known.space.data?.title ?? ""
  useRecentPage(known.place.change === undefined ? page : undefined, known.space.data)
  if (pages.error !== undefined && pages.data === undefined) {
    return <FailedState error={pages.error} onRetry={pages.reload} />
  }
  if (pages.data === undefined) return <Skeleton rows={8} kind="text" />
  const updatedAt = page?.updatedAt
  return (
    <div className="with-panel">
      <div>
        {above}
        {body === undefined ? <PageCover place={known.place} page={page} /> : null}
        <ScreenFrame
          title={title}
          width="text"
          above={<Breadcrumbs {...properties} />}
          icon={<PageIcon page={page} fallback={null} />}
          heading={
            page === undefined || body !== undefined ? (
              <h1 className="visually-hidden">{title}</h1>
            ) : undefined
          }
          actions={
            <>
              <PanelButtons {...properties} />
              {actions}
            </>
          }
          meta={
            page === undefined || updatedAt === undefined || body !== undefined ? undefined : (
              <span>
                <Time value={updatedAt} text={(time) => t("updated", { time })} />
                {page.type !== "computed" && page.hidden === true ? (
                  <span className="tag">{t("hiddenPage")}</span>
                ) : null}
              </span>
            )
          }
        >
          {page === undefined ? <NoPage {...properties} /> : (body ?? <PageText {...properties} />)}
        </ScreenFrame>
      </div>
      <Suspense fallback={null}>
        <Panels {...properties} />
      </Suspense>
    </div>
  )
}
