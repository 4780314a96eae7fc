/** The structure of a site: sections, groups, spaces and links, ordered by drag and drop, the keyboard or menus. */
import type { SiteStructure } from "@lectern/client/fetch"
import type { Action } from "../../actions/actions.ts"
import { useActions } from "../../actions/actions.ts"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button } from "../../components/Button.tsx"
import { Emoji } from "../../components/Emoji.tsx"
import { PlaceTree } from "../../components/PlaceTree.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { type MoveDirection, placeInDirection, type TreeNode } from "../../components/TreeNode.ts"
import { BookOpen, ExternalLink, Folder, LayoutList, Plus, Rows3 } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { commonStrings } from "../../strings/common.ts"
import { type Translate, translate, useStrings } from "../../strings/strings.ts"
import { type KnownSite, useStructure } from "./data.ts"
import { openAddLink, openEditLink } from "./LinkDialog.tsx"
import { linkStrings } from "./linkStrings.ts"
import { lookStrings } from "./lookStrings.ts"
import { SiteFrame } from "./SiteFrame.tsx"
import { siteStrings } from "./strings.ts"
import { makeDefault, moveItem } from "./structureChanges.ts"
import {
  openAddGroup,
  openAddSection,
  openAddSpace,
  openEditItem,
  openRemoveItem
} from "./structureDialogs.tsx"
import { readerPaths, type StructureNode, structureNodes } from "./structureTree.ts"

interface TreeContext {
  readonly known: KnownSite
  readonly structure: SiteStructure
  readonly paths: ReadonlyMap<string, string>
  readonly t: Translate<typeof siteStrings.en>
  readonly common: Translate<typeof commonStrings.en>
}

const moveActions = (context: TreeContext, nodes: ReadonlyArray<TreeNode>, id: string) =>
  (["up", "down"] as const).flatMap((direction: MoveDirection): ReadonlyArray<Action> => {
    const place = placeInDirection(nodes, id, direction)
    if (place === undefined) return []
    return [
      {
        id: direction,
        label: context.common(direction === "up" ? "moveUp" : "moveDown"),
        shortcut: direction === "up" ? "alt+ArrowUp" : "alt+ArrowDown",
        run: () => void moveItem(context.known, context.structure, id, place)
      }
    ]
  })

const actionsOf = (
  context: TreeContext,
  { item }: StructureNode,
  all: () => ReadonlyArray<TreeNode>
): ReadonlyArray<Action> => {
  const { known, structure, t, common } = context
  const isDefault = item.kind === "group" || item.kind === "link" || item.value.default
  return [
    {
      id: "edit",
      label: common("edit"),
      run: () => (item.kind === "link" ? openEditLink(known, item.value) : openEditItem(known, item))
    },
    ...(item.kind === "space"
      ? [
          { id: "open", label: t("openSpace"), run: () => navigate(`/spaces/${item.value.space.id}`) },
          {
            id: "look",
            label: translate(lookStrings, "ownLook"),
            run: () => navigate(`/sites/${known.site.id}/spaces/${item.id}/look`)
          }
        ]
      : []),
    ...(item.kind === "section"
      ? [{ id: "addSpace", label: t("addSpace"), run: () => openAddSpace(known, structure, item.id) }]
      : []),
    ...(isDefault
      ? []
      : [{ id: "default", label: t("makeDefault"), run: () => void makeDefault(known, item) }]),
    ...moveActions(context, all(), item.id),
    { id: "remove", label: common("remove"), isDangerous: true, run: () => openRemoveItem(known, item) }
  ]
}

const icons = { group: Folder, section: Rows3, space: BookOpen, link: ExternalLink } as const

const ItemIcon = ({ item }: Pick<StructureNode, "item">) => {
  const Icon = icons[item.kind]
  const icon = <Icon size={16} aria-hidden />
  return item.kind === "space" ? <Emoji emoji={item.value.space.emoji} fallback={icon} /> : icon
}

const toTree = (
  context: TreeContext,
  nodes: ReadonlyArray<StructureNode>,
  all: () => ReadonlyArray<TreeNode>
): ReadonlyArray<TreeNode> =>
  nodes.map((node) => {
    const { item } = node
    return {
      id: item.id,
      title: item.value.title,
      icon: <ItemIcon item={item} />,
      children: toTree(context, node.children, all),
      canContain: item.kind === "group",
      badge:
        item.kind === "group" ? null : (
          <>
            <span className="tree-detail">
              {item.kind === "link" ? new URL(item.value.url).hostname : context.paths.get(item.id)}
            </span>
            {item.value.condition === undefined ? null : (
              <span className="tag">{context.t("conditional")}</span>
            )}
            {item.value.draft ? (
              <span className="tag tag-warning">{translate(linkStrings, "isDraft")}</span>
            ) : null}
            {"default" in item.value && item.value.default ? (
              <span className="tag tag-primary">{context.t("default")}</span>
            ) : null}
          </>
        ),
      actions: () => actionsOf(context, node, all)
    }
  })

const Structure = ({ known }: { readonly known: KnownSite }) => {
  const t = useStrings(siteStrings)
  const common = useStrings(commonStrings)
  const structure = useStructure(known)
  const { data } = structure
  const additions: ReadonlyArray<Action> =
    data === undefined
      ? []
      : [
          { id: "site.addSpace", label: t("addSpace"), run: () => openAddSpace(known, data) },
          { id: "site.addSection", label: t("addSection"), run: () => openAddSection(known, data) },
          ...(data.type === "sections"
            ? [
                { id: "site.addGroup", label: t("addGroup"), run: () => openAddGroup(known, data) },
                {
                  id: "site.addLink",
                  label: translate(linkStrings, "addLink"),
                  run: () => openAddLink(known)
                }
              ]
            : [])
        ]
  useActions(additions)
  return (
    <Loaded resource={structure}>
      {(loaded) => {
        if (loaded.structure.length === 0) {
          return (
            <EmptyState
              icon={<LayoutList />}
              title={t("emptySite")}
              actions={<Button onPress={() => openAddSpace(known, loaded)}>{t("addSpace")}</Button>}
            >
              {t("emptySiteBody")}
            </EmptyState>
          )
        }
        const context = { known, structure: loaded, paths: readerPaths(loaded), t, common }
        const nodes: ReadonlyArray<TreeNode> = toTree(context, structureNodes(loaded), () => nodes)
        return (
          <>
            <div className="section-header">
              <p className="muted small">{t("structureHint")}</p>
              <ActionMenu label={common("add")} actions={additions} className="button button-normal">
                <Plus size={16} aria-hidden />
                {common("add")}
              </ActionMenu>
            </div>
            <div className="boxed">
              <PlaceTree
                label={t("structure")}
                storageKey={`openSections.${known.site.id}`}
                nodes={nodes}
                isOpenByDefault
                onMove={(id, place) => void moveItem(known, loaded, id, place)}
              />
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

/** The structure of a site. */
const StructureScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(siteStrings)
  return (
    <SiteFrame siteId={params.site} title={t("structure")} isPublishPrimary>
      {(known) => <Structure known={known} />}
    </SiteFrame>
  )
}

export default StructureScreen
