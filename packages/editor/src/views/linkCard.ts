/** The card of a link, as the reader displays it. */
import { element, iconElement } from "../ui/dom.ts"
import { contentIcon } from "./iconSets.ts"

/** A card with an icon, a title and a detail, which can be set later. */
export interface LinkCard {
  readonly dom: HTMLElement
  readonly icon: HTMLElement
  readonly title: HTMLElement
  readonly detail: HTMLElement
}

/** Creates a card with an icon, a title and a detail. */
export const linkCard = (icon: string, title: string, detail = ""): LinkCard => {
  const card = {
    icon: element("span", { class: "link-card-icon" }, contentIcon(icon)),
    title: element("span", { class: "link-card-title" }, title),
    detail: element("span", { class: "link-card-detail" }, detail)
  }
  const dom = element(
    "div",
    { class: "link-card" },
    card.icon,
    element("span", { class: "link-card-text" }, card.title, card.detail),
    element("span", { class: "link-card-arrow" }, iconElement("chevron-right"))
  )
  return { dom, ...card }
}
