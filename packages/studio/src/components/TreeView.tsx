/** The rows of a tree, with the menu of each. */

import {
  Button,
  Collection,
  type DragAndDropHooks,
  type Key,
  Tree,
  TreeItem,
  TreeItemContent
} from "react-aria-components"
import { ChevronRight, GripVertical } from "../icons/icons.gen.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { ActionMenu } from "./ActionMenu.tsx"
import { findNode, type TreeNode } from "./TreeNode.ts"

interface NodeProps {
  readonly node: TreeNode
  readonly canDrag: boolean
  readonly current: string | undefined
}

const Node = ({ node, canDrag, current }: NodeProps) => {
  const t = useStrings(shellStrings)
  const children = node.children ?? []
  const actions = node.actions?.() ?? []
  return (
    <TreeItem
      id={node.id}
      textValue={node.title}
      className={`tree-item${node.isFaint === true ? " is-faint" : ""}${node.id === current ? " is-current" : ""}`}
      {...(node.to === undefined ? {} : { href: node.to })}
    >
      <TreeItemContent>
        {({ hasChildItems }) => (
          <div className="tree-row">
            {canDrag && node.canMove !== false ? (
              <Button slot="drag" className="tree-grip">
                <GripVertical size={12} aria-hidden />
              </Button>
            ) : null}
            {hasChildItems ? (
              <Button slot="chevron" className="tree-chevron">
                <ChevronRight size={14} aria-hidden />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            {node.icon === undefined ? null : <span className="tree-icon">{node.icon}</span>}
            <span className="tree-title">{node.title}</span>
            {node.badge}
            <ActionMenu
              label={t("moreActionsFor", { title: node.title })}
              actions={actions}
              className="icon-button tree-menu"
            />
          </div>
        )}
      </TreeItemContent>
      <Collection items={children}>
        {(child) => <Node node={child} canDrag={canDrag} current={current} />}
      </Collection>
    </TreeItem>
  )
}

/** Properties of {@link TreeView}. */
export interface TreeViewProps {
  readonly label: string
  readonly nodes: ReadonlyArray<TreeNode>
  readonly current: string | undefined
  readonly open: ReadonlySet<string>
  readonly setOpen: (ids: ReadonlySet<Key>) => void
  /** Makes nodes movable by the pointer. */
  readonly dragAndDropHooks?: DragAndDropHooks<TreeNode>
}

/** The rows of a tree. */
export const TreeView = ({ label, nodes, current, open, setOpen, dragAndDropHooks }: TreeViewProps) => (
  <Tree
    aria-label={label}
    className="tree"
    items={nodes}
    selectionMode="none"
    expandedKeys={open}
    onExpandedChange={setOpen}
    onAction={(key) => {
      const node = findNode(nodes, String(key))?.node
      if (node === undefined || node.to !== undefined) return
      const changed = new Set(open)
      if (!changed.delete(node.id)) changed.add(node.id)
      setOpen(changed)
    }}
    {...(dragAndDropHooks === undefined ? {} : { dragAndDropHooks })}
    dependencies={[current]}
  >
    {(node) => <Node node={node} canDrag={dragAndDropHooks !== undefined} current={current} />}
  </Tree>
)
