/** A button with a menu of actions. */

import type { ReactNode } from "react"
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components"
import { type Action, useActions } from "../actions/actions.ts"
import { formatShortcut } from "../actions/shortcuts.ts"
import { MoreHorizontal } from "../icons/icons.gen.ts"

/** Properties of {@link ActionMenu}. */
export interface ActionMenuProps {
  /** The name of the button for screen readers. */
  readonly label: string
  readonly actions: ReadonlyArray<Action>
  /** The content of the button; three dots by default. */
  readonly children?: ReactNode
  readonly className?: string
}

/** A button that opens a menu of actions. Without actions, nothing is displayed. */
export const ActionMenu = ({ label, actions, children, className = "icon-button" }: ActionMenuProps) => {
  if (actions.length === 0) return null
  return (
    <MenuTrigger>
      <Button aria-label={label} className={className}>
        {children ?? <MoreHorizontal size={16} aria-hidden />}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          className="menu"
          items={actions}
          onAction={(id) => actions.find((action) => action.id === id)?.run()}
        >
          {({ id, label: text, shortcut, isDangerous }) => (
            <MenuItem id={id} textValue={text} className={isDangerous ? "menu-item is-danger" : "menu-item"}>
              <span className="menu-label">{text}</span>
              {shortcut === undefined ? null : <kbd>{formatShortcut(shortcut)}</kbd>}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** The menu of a screen, whose actions are in the command palette, too. */
export const ScreenMenu = (properties: ActionMenuProps) => {
  useActions(properties.actions)
  return <ActionMenu {...properties} />
}
