/** Lists of resources, with all of their states. */
import type { ReactNode } from "react"
import type { Action } from "../actions/actions.ts"
import type { Resource } from "../data/useResource.ts"
import { Link } from "../router/Link.tsx"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { ActionMenu } from "./ActionMenu.tsx"
import { Loaded } from "./states.tsx"

/** Properties of {@link ItemList}. */
export interface ItemListProps<Item> {
  readonly resource: Resource<ReadonlyArray<Item>>
  readonly keyOf: (item: Item) => string
  /** Displayed if there is nothing. */
  readonly empty: ReactNode
  readonly children: (item: Item) => ReactNode
}

/** A list, or its state: loading, empty, failed or not permitted. */
export const ItemList = <Item,>({ resource, keyOf, empty, children }: ItemListProps<Item>) => (
  <Loaded resource={resource}>
    {(items) =>
      items.length === 0 ? (
        empty
      ) : (
        <ul className="list">
          {items.map((item) => (
            <li key={keyOf(item)}>{children(item)}</li>
          ))}
        </ul>
      )
    }
  </Loaded>
)

/** Properties of {@link ItemRow}. */
export interface ItemRowProps {
  readonly icon?: ReactNode
  readonly title: string
  /** The path that the title opens. */
  readonly to?: string | undefined
  readonly details?: ReactNode
  readonly tags?: ReactNode
  /** Controls at the end, such as a choice of roles. */
  readonly controls?: ReactNode
  readonly actions?: ReadonlyArray<Action>
}

/** The content of an item of a list: its title, details, tags and actions. */
export const ItemRow = ({ icon, title, to, details, tags, controls, actions = [] }: ItemRowProps) => {
  const t = useStrings(shellStrings)
  return (
    <>
      {icon === undefined ? null : <span className="list-icon">{icon}</span>}
      <div className="list-text">
        {to === undefined ? (
          <strong className="list-title">{title}</strong>
        ) : (
          <Link className="list-link" to={to}>
            {title}
          </Link>
        )}
        {details === undefined ? null : <p className="list-detail">{details}</p>}
      </div>
      {tags}
      {controls === undefined && actions.length === 0 ? null : (
        <span className="list-actions">
          {controls}
          <ActionMenu label={t("moreActionsFor", { title })} actions={actions} />
        </span>
      )}
    </>
  )
}
