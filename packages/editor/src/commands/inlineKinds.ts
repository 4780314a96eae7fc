/** The inline nodes that a writer can insert. */
import { schema } from "../schema/schema.ts"
import type { BlockKind } from "./blockKinds.ts"

const { nodes } = schema

/** The inline nodes, in the order of the menu. */
export const inlineKinds: ReadonlyArray<BlockKind> = [
  {
    id: "button",
    icon: "shapes",
    group: "inline",
    keywords: "call action link cta",
    isInCells: true,
    opensSettings: true,
    create: () =>
      nodes.button!.create({ data: { label: "Button", kind: "primary", ref: { kind: "url", url: "" } } })
  },
  {
    id: "icon",
    icon: "font-awesome",
    group: "inline",
    keywords: "symbol pictogram",
    isInCells: true,
    opensSettings: true,
    create: () => nodes.icon!.create({ data: { icon: "star" } })
  },
  {
    id: "inlineMath",
    icon: "square-root-variable",
    group: "inline",
    keywords: "tex latex equation",
    shortcut: "$$x$$",
    isInCells: true,
    opensSettings: true,
    create: () => nodes.inline_math!.create({ data: { formula: "x" } })
  },
  {
    id: "inlineImage",
    icon: "image",
    group: "inline",
    keywords: "picture symbol",
    isInCells: true,
    opensSettings: true,
    create: () => nodes.inline_image!.create({ data: { ref: { kind: "url", url: "" } } })
  },
  {
    id: "expression",
    icon: "code",
    group: "inline",
    keywords: "variable visitor value",
    isInCells: true,
    opensSettings: true,
    create: () => nodes.expression!.create({ data: { expression: "visitor.claims.name" } })
  }
]
