/** The left column of a space: the tree of its pages. */
import type { Page } from "@lectern/client/fetch"
import { type ReactNode, useEffect } from "react"
import { type Action, useActions } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Emoji } from "../../components/Emoji.tsx"
import { PageIcon } from "../../components/PageIcon.tsx"
import { PlaceTree } from "../../components/PlaceTree.tsx"
import { Loaded, Skeleton } from "../../components/states.tsx"
import type { TreeNode } from "../../components/TreeNode.ts"
import { childrenOf, findPage, flattenPages, type Place, placePath, usePages } from "../../data/content.ts"
import { reportDisplayedTree } from "../../data/displayedTree.ts"
import {
  ArrowLeft,
  BookOpen,
  EyeOff,
  FileText,
  FolderOpen,
  Link2,
  Plus,
  ScrollText,
  UserCheck
} from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { type Translate, useStrings } from "../../strings/strings.ts"
import { openCreatePage } from "./openPageDialogs.ts"
import { pageActions } from "./pageActions.ts"
import { movePage } from "./pageChanges.ts"
import { ChangeLinks, SpaceLinks } from "./SpaceLinks.tsx"
import { spaceStrings } from "./strings.ts"
import { usePlace } from "./usePlace.ts"

type T = Translate<(typeof spaceStrings)["en"]>

const icons: Readonly<Record<Page["type"], ReactNode>> = {
  document: <FileText size={15} />,
  group: <FolderOpen size={15} />,
  link: <Link2 size={15} />,
  computed: <ScrollText size={15} />
}

const badgeOf = (page: Page, t: T): ReactNode => {
  if (page.condition !== undefined) {
    return <UserCheck size={13} className="muted" aria-label={t("conditionalPage")} />
  }
  const isHidden = page.type !== "computed" && page.hidden === true
  return isHidden ? <EyeOff size={13} className="muted" aria-label={t("hiddenPage")} /> : undefined
}

/** Returns the nodes of the tree of pages. */
const pageNodes = (
  place: Place,
  pages: ReadonlyArray<Page>,
  canEdit: boolean,
  t: T,
  nodes: ReadonlyArray<Page> = pages
): ReadonlyArray<TreeNode> =>
  nodes.map((page) => ({
    id: page.id,
    title: page.title,
    icon: <PageIcon page={page} fallback={icons[page.type]} />,
    to: placePath(place, page),
    children: pageNodes(place, pages, canEdit, t, childrenOf(page)),
    canContain: "pages" in page,
    isFaint: page.type !== "computed" && page.hidden === true,
    badge: badgeOf(page, t),
    actions: () => pageActions(place, pages, page, canEdit)
  }))

const CreateMenu = ({ place, pages }: { readonly place: Place; readonly pages: ReadonlyArray<Page> }) => {
  const t = useStrings(spaceStrings)
  const actions: ReadonlyArray<Action> = [
    {
      id: "space.newPage",
      label: t("newPage"),
      shortcut: "c",
      run: () => openCreatePage(place, pages, "document")
    },
    { id: "space.newGroup", label: t("newGroup"), run: () => openCreatePage(place, pages, "group") },
    { id: "space.newLink", label: t("newLink"), run: () => openCreatePage(place, pages, "link") }
  ]
  useActions(actions)
  return (
    <ActionMenu label={t("newPage")} actions={actions}>
      <Plus size={16} aria-hidden />
    </ActionMenu>
  )
}

/** The left column of a space, or of a change request of it. */
const SpaceSidebar = ({ params }: { readonly params: Readonly<Record<string, string>> }) => {
  const t = useStrings(spaceStrings)
  const spaceId = params.space ?? ""
  const { place, space, changeRequest, canEdit } = usePlace(spaceId, params.number)
  const pages = usePages(place)
  const isDisplayed = pages.data !== undefined
  useEffect(() => {
    if (isDisplayed) reportDisplayedTree()
  }, [isDisplayed])
  const current =
    pages.data === undefined || params.page === undefined ? undefined : findPage(pages.data, params.page)
  const back =
    params.number === undefined
      ? { to: "/", text: t("allSpaces") }
      : { to: `/spaces/${spaceId}`, text: t("backToSpace") }
  const backLink = (
    <div className="sidebar-back">
      <Link to={back.to}>
        <ArrowLeft size={14} aria-hidden />
        {back.text}
      </Link>
    </div>
  )
  // The screen states that the space does not exist.
  if (space.data === undefined && space.error?._tag === "NotFound") return backLink
  return (
    <>
      {backLink}
      <div className="sidebar-header">
        <Emoji emoji={space.data?.emoji} fallback={<BookOpen size={18} aria-hidden />} />
        {space.data === undefined ? null : <h2>{space.data.title}</h2>}
      </div>
      {params.number === undefined ? (
        <div className="sidebar-section">
          <SpaceLinks spaceId={spaceId} space={space.data} />
        </div>
      ) : (
        <div className="sidebar-section">
          <p className="sidebar-change small">
            <strong>#{changeRequest.data?.number}</strong> {changeRequest.data?.subject}
          </p>
          <ChangeLinks spaceId={spaceId} number={params.number} />
        </div>
      )}
      <div className="sidebar-section">
        <div className="sidebar-heading">
          <span>{t("pages")}</span>
          {canEdit && pages.data !== undefined ? <CreateMenu place={place} pages={pages.data} /> : null}
        </div>
        <Loaded resource={pages} skeleton={<Skeleton rows={8} />}>
          {(known) => (
            <PlaceTree
              key={spaceId}
              label={t("pages")}
              storageKey={`openPages.${spaceId}`}
              nodes={pageNodes(place, known, canEdit, t)}
              current={current?.id}
              isOpenByDefault={flattenPages(known).length <= 40}
              onMove={
                canEdit
                  ? (id, target) => {
                      const page = flattenPages(known).find((candidate) => candidate.id === id)
                      if (page !== undefined) void movePage(place, known, page, target)
                    }
                  : undefined
              }
            />
          )}
        </Loaded>
      </div>
    </>
  )
}

export default SpaceSidebar
