/** Blocks that contain blocks. */
import type { Attrs, NodeSpec } from "prosemirror-model"
import { dataOf, documentNode, textField } from "./attributes.ts"

const checkedOf = (element: HTMLElement): Attrs => {
  const box = element.querySelector<HTMLInputElement>(":scope > input[type=checkbox], :scope > label input")
  const checked =
    element.getAttribute("data-checked") === "true" || element.getAttribute("aria-checked") === "true"
  const isTask = box !== null || element.hasAttribute("data-checked") || element.hasAttribute("aria-checked")
  return isTask ? { data: { checked: checked || box?.checked === true } } : {}
}

/** Whether the items of a list of another program are tasks. */
const isTaskList = (element: HTMLElement): boolean =>
  element.querySelector(":scope > li > input[type=checkbox], :scope > li > label input[type=checkbox]") !==
    null || element.querySelector(":scope > li[data-checked], :scope > li[aria-checked]") !== null

const percentClass = (width: unknown): string => {
  const { unit, value } = (typeof width === "object" && width !== null ? width : {}) as {
    readonly unit?: string
    readonly value?: number
  }
  return unit === "%" && value !== undefined
    ? `w-${Math.min(100, Math.max(5, Math.round(value / 5) * 5))}`
    : ""
}

const classNames = (...names: ReadonlyArray<string | false | undefined>): { readonly class: string } => ({
  class: names.filter((name) => typeof name === "string" && name !== "").join(" ")
})

/** The nodes of lists. */
const listNodes: Readonly<Record<string, NodeSpec>> = {
  list_ordered: documentNode("list_ordered", {
    group: "block list",
    content: "list_item+",
    parseDOM: [
      {
        tag: "ol",
        getAttrs: (element) => {
          const start = Number(element.getAttribute("start") ?? 1)
          return Number.isSafeInteger(start) && start >= 0 && start !== 1 ? { data: { start } } : {}
        }
      }
    ],
    toDOM: (node) => {
      const { start } = dataOf(node)
      return ["ol", typeof start === "number" && start !== 1 ? { start: String(start) } : {}, 0]
    }
  }),
  list_tasks: documentNode("list_tasks", {
    group: "block list",
    content: "list_item+",
    parseDOM: [{ tag: "ul", priority: 60, getAttrs: (element) => isTaskList(element) && null }],
    toDOM: () => ["ul", { class: "tasks" }, 0]
  }),
  list_unordered: documentNode("list_unordered", {
    group: "block list",
    content: "list_item+",
    parseDOM: [{ tag: "ul" }],
    toDOM: () => ["ul", 0]
  }),
  list_item: documentNode("list_item", {
    content: "block+",
    defining: true,
    parseDOM: [{ tag: "li", getAttrs: checkedOf }],
    toDOM: (node) => ["li", dataOf(node).spread === true ? { class: "spread" } : {}, 0]
  })
}

/** The nodes of blocks that contain blocks. */
export const containerNodes: Readonly<Record<string, NodeSpec>> = {
  ...listNodes,
  blockquote: documentNode("blockquote", {
    group: "block",
    content: "block+",
    defining: true,
    parseDOM: [{ tag: "blockquote" }],
    toDOM: () => ["blockquote", 0]
  }),
  hint: documentNode("hint", {
    group: "block",
    content: "block+",
    defining: true,
    toDOM: (node) => [
      "div",
      { ...classNames("hint", textField(node, "style") ?? "info"), role: "note" },
      ["div", { class: "hint-body" }, 0]
    ]
  }),
  tabs: documentNode("tabs", {
    group: "block",
    content: "tabs_item+",
    toDOM: (node) => ["div", classNames("tabs", dataOf(node).fullWidth === true && "full-width"), 0]
  }),
  tabs_item: documentNode("tabs_item", {
    content: "block+",
    isolating: true,
    toDOM: () => ["section", { class: "tab-panel" }, 0]
  }),
  stepper: documentNode("stepper", {
    group: "block",
    content: "stepper_step+",
    toDOM: () => ["ol", { class: "stepper" }, 0]
  }),
  stepper_step: documentNode("stepper_step", {
    content: "block+",
    isolating: true,
    toDOM: () => ["li", ["div", { class: "step-body" }, 0]]
  }),
  columns: documentNode("columns", {
    group: "block",
    content: "column+",
    toDOM: (node) => ["div", classNames("columns", dataOf(node).fullWidth === true && "full-width"), 0]
  }),
  column: documentNode("column", {
    content: "block+",
    isolating: true,
    toDOM: (node) => {
      const alignment = textField(node, "verticalAlignment")
      return [
        "div",
        classNames("column", percentClass(dataOf(node).width), alignment && `valign-${alignment}`),
        0
      ]
    }
  }),
  if: documentNode("if", {
    group: "block",
    content: "block+",
    defining: true,
    toDOM: () => ["div", { class: "condition" }, 0]
  }),
  updates: documentNode("updates", {
    group: "block",
    content: "update+",
    toDOM: () => ["div", { class: "updates" }, 0]
  }),
  update: documentNode("update", {
    content: "block+",
    isolating: true,
    toDOM: () => ["article", { class: "update" }, 0]
  }),
  expandable: documentNode("expandable", {
    group: "block",
    content: "expandable_title expandable_body",
    isolating: true,
    parseDOM: [{ tag: "details" }],
    toDOM: () => ["div", { class: "expandable" }, 0]
  }),
  expandable_body: documentNode("expandable_body", {
    content: "block+",
    attrs: { fragment: { default: null } },
    toDOM: () => ["div", { class: "expandable-body" }, 0]
  }),
  images: documentNode("images", {
    group: "block",
    content: "image+",
    draggable: true,
    toDOM: (node) => {
      const data = dataOf(node)
      return [
        "div",
        classNames(
          "images",
          `align-${textField(node, "align") ?? "center"}`,
          data.fullWidth === true && "full-width",
          data.withFrame === true && "framed",
          node.childCount > 1 && "gallery"
        ),
        0
      ]
    }
  }),
  footnote: documentNode("footnote", {
    content: "block+",
    isolating: true,
    attrs: { label: { default: "1" } },
    toDOM: (node) => ["section", { class: "footnote", "data-label": String(node.attrs.label) }, 0]
  })
}
