/** A link within the application. */
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react"
import { navigate, toHref, useAddress } from "./location.ts"

/** Properties of {@link Link}. */
export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** The path below the base path, with its query. */
  readonly to: string
  readonly children?: ReactNode
}

/** Whether a click opens the link in this tab. */
const opensHere = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A link to a place of the application. It is marked as the current one if its path is open. */
export const Link = ({ to, children, onClick, ...attributes }: LinkProps) => {
  const { path } = useAddress()
  const onLinkClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !opensHere(event)) return
    event.preventDefault()
    navigate(to)
  }
  const isCurrent = to.split(/[?#]/, 1)[0] === path
  return (
    <a {...attributes} href={toHref(to)} aria-current={isCurrent ? "page" : undefined} onClick={onLinkClick}>
      {children}
    </a>
  )
}
