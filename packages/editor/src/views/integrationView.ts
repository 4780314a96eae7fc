/** The content of blocks of integrations: what the reader displays of them, or the title and the properties of the block. */
import type { Node } from "prosemirror-model"
import type { EditorContext } from "../context.ts"
import type { IntegrationDescription } from "../EditorBackend.ts"
import { dataOf, type JsonObject, textField } from "../schema/attributes.ts"
import { element } from "../ui/dom.ts"
import { codeFigure } from "./codeFigure.ts"
import { safeSource } from "./imageSize.ts"
import { linkCard } from "./linkCard.ts"

const mostProperties = 20

const propertyList = (props: JsonObject): HTMLElement | undefined => {
  const entries = Object.entries(props)
  if (entries.length === 0) return undefined
  return element(
    "dl",
    { class: "editor-properties" },
    ...entries
      .slice(0, mostProperties)
      .map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", {}, String(value).slice(0, 300)))
      )
  )
}

const describe = (
  card: ReturnType<typeof linkCard>,
  { title, icon, blocks }: IntegrationDescription,
  id: string
): void => {
  const block = blocks.find((one) => one.id === id)
  card.title.textContent = title
  card.detail.textContent = block?.title ?? id
  const source = safeSource(block?.icon ?? icon)
  if (source !== undefined) card.icon.replaceChildren(element("img", { src: source, alt: "" }))
}

/** Displays a block of an integration. Returns the function that ends it. */
export const showIntegration = (node: Node, dom: HTMLElement, context: EditorContext): (() => void) => {
  const props = (dataOf(node).props ?? {}) as JsonObject
  const [name, block] = [textField(node, "integration") ?? "", textField(node, "block") ?? ""]
  const url = textField(node, "url") ?? (typeof props.url === "string" ? props.url : undefined)
  let isEnded = false
  if (typeof props.content === "string" && props.content !== "") {
    dom.replaceChildren(codeFigure(props.content, { syntax: name, title: `${name} ${block}`, label: name }))
    return () => undefined
  }
  if (url !== undefined) {
    const host = URL.canParse(url) ? new URL(url).host : url
    dom.replaceChildren(linkCard("arrow-up-right-from-square", host, url).dom)
    return () => undefined
  }
  const card = linkCard("puzzle-piece", name, block)
  const list = propertyList(props)
  const note = element("p", { class: "editor-hint-text" }, context.messages.integrationIsHidden)
  dom.replaceChildren(card.dom, ...(list === undefined ? [] : [list]), note)
  void context.apis.integration(name).then((loaded) => {
    if (!isEnded && loaded._tag === "Loaded") describe(card, loaded.value, block)
  })
  return () => {
    isEnded = true
  }
}
