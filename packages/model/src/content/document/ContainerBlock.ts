/** Blocks that contain blocks and are written as tags or as HTML: hints, tabs, steppers, columns, conditions. */
import * as Schema from "effect/Schema"
import { text } from "../../schema/Text.ts"
import type { Block } from "./Block.ts"
import {
  type AttributeValues,
  base,
  type ContainerNode,
  emptyData,
  type FragmentNode,
  flag,
  isNotVoid,
  isVoid,
  Length,
  otherAttributes,
  type VoidNode,
  verticalAlignment
} from "./base.ts"
import { Paragraph } from "./TextBlock.ts"

/** A box that emphasizes its blocks. */
export interface Hint extends ContainerNode<"hint"> {
  /**
   * The style of the box, and the name of its icon, if it is not that of the style. `alert` is the kind of the alert of GitHub that
   * the hint is in Markdown, as in `> [!NOTE]`.
   */
  readonly data: {
    readonly style: "info" | "warning" | "danger" | "success"
    readonly icon?: string
    readonly alert?: "note" | "tip" | "important" | "warning" | "caution"
    readonly attributes?: AttributeValues
  }
  /** The blocks in the box. */
  readonly nodes: ReadonlyArray<Block>
}

/** One of several tabs. */
export interface TabsItem extends ContainerNode<"tabs-item"> {
  /** The title of the tab and the name of its icon. */
  readonly data: { readonly title?: string; readonly icon?: string; readonly attributes?: AttributeValues }
  /** The blocks of the tab. */
  readonly nodes: ReadonlyArray<Block>
}

/** Tabs, of which readers see one at a time. */
export interface Tabs extends ContainerNode<"tabs"> {
  /** Whether the tabs extend over the full width of the page. */
  readonly data?: { readonly fullWidth?: boolean }
  /** The tabs. */
  readonly nodes: ReadonlyArray<TabsItem>
}

/** A step of a stepper. */
export interface StepperStep extends ContainerNode<"stepper-step"> {
  /** The name of the icon that replaces the number of the step. */
  readonly data: { readonly icon?: string; readonly attributes?: AttributeValues }
  /** The blocks of the step. */
  readonly nodes: ReadonlyArray<Block>
}

/** A numbered sequence of steps. */
export interface Stepper extends ContainerNode<"stepper"> {
  /** Always empty. */
  readonly data?: Record<never, never>
  /** The steps. */
  readonly nodes: ReadonlyArray<StepperStep>
}

/** A column of a layout. */
export interface Column extends ContainerNode<"column"> {
  /** The width of the column and the vertical alignment of its blocks. */
  readonly data: {
    readonly width?: typeof Length.Type
    readonly verticalAlignment?: "top" | "middle" | "bottom"
  }
  /** The blocks of the column. */
  readonly nodes: ReadonlyArray<Block>
}

/** Columns next to each other. */
export interface Columns extends ContainerNode<"columns"> {
  /** Always false. */
  readonly isVoid: false
  /** Whether the columns extend over the full width of the page. */
  readonly data: { readonly fullWidth?: boolean; readonly attributes?: AttributeValues }
  /** The columns. */
  readonly nodes: ReadonlyArray<Column>
}

/** Blocks that only some visitors see. */
export interface If extends ContainerNode<"if"> {
  /** The condition on the visitor. */
  readonly data: { readonly expression: string }
  /** The blocks. */
  readonly nodes: ReadonlyArray<Block>
}

/** An entry of a changelog. */
export interface Update extends ContainerNode<"update"> {
  /** The date as it is written, usually `YYYY-MM-DD`, and the tags of the entry. */
  readonly data: {
    readonly date?: string
    readonly tags?: ReadonlyArray<string>
    readonly attributes?: AttributeValues
  }
  /** The blocks of the entry. */
  readonly nodes: ReadonlyArray<Block>
}

/** A changelog. */
export interface Updates extends ContainerNode<"updates"> {
  /** How dates are displayed. */
  readonly data: { readonly format?: string; readonly attributes?: AttributeValues }
  /** The entries. */
  readonly nodes: ReadonlyArray<Update>
}

/** The title of an expandable block: one paragraph. */
export interface ExpandableTitle extends FragmentNode<"expandable-title"> {
  /** The paragraph. */
  readonly nodes: ReadonlyArray<Paragraph>
}

/** The blocks of an expandable block. */
export interface ExpandableBody extends FragmentNode<"expandable-body"> {
  /** The blocks. */
  readonly nodes: ReadonlyArray<Block>
}

/** Blocks that readers expand by their title. */
export interface Expandable extends VoidNode<"expandable"> {
  /** Whether the block is initially open. */
  readonly open?: boolean
  /** Always empty. */
  readonly data: Record<never, never>
  /** The title and the body. */
  readonly fragments: ReadonlyArray<ExpandableTitle | ExpandableBody>
}

/** The schemas of the blocks in this module. `blocks` is the schema of their content. */
export const containerSchemas = (blocks: Schema.Codec<ReadonlyArray<Block>>) => {
  const container = <const Type extends string, Data extends Schema.Struct.Fields, Nodes extends Schema.Top>(
    type: Type,
    data: Data,
    nodes: Nodes
  ) => Schema.Struct({ ...base(type), isVoid: isNotVoid, data: Schema.Struct(data), nodes })

  const optionalText = Schema.optionalKey(text())

  const Hint: Schema.Codec<Hint> = container(
    "hint",
    {
      style: Schema.Literals(["info", "warning", "danger", "success"]),
      icon: optionalText,
      alert: Schema.optionalKey(Schema.Literals(["note", "tip", "important", "warning", "caution"])),
      attributes: otherAttributes
    },
    blocks
  )

  const TabsItem: Schema.Codec<TabsItem> = container(
    "tabs-item",
    { title: optionalText, icon: optionalText, attributes: otherAttributes },
    blocks
  )

  const Tabs: Schema.Codec<Tabs> = Schema.Struct({
    ...base("tabs"),
    isVoid: isNotVoid,
    data: Schema.optionalKey(Schema.Struct({ fullWidth: flag })),
    nodes: Schema.Array(TabsItem)
  })

  const StepperStep: Schema.Codec<StepperStep> = container(
    "stepper-step",
    { icon: optionalText, attributes: otherAttributes },
    blocks
  )

  const Stepper: Schema.Codec<Stepper> = Schema.Struct({
    ...base("stepper"),
    isVoid: isNotVoid,
    data: Schema.optionalKey(emptyData),
    nodes: Schema.Array(StepperStep)
  })

  const Column: Schema.Codec<Column> = container(
    "column",
    { width: Schema.optionalKey(Length), verticalAlignment },
    blocks
  )

  const Columns: Schema.Codec<Columns> = Schema.Struct({
    ...base("columns"),
    isVoid: Schema.Literal(false),
    data: Schema.Struct({ fullWidth: flag, attributes: otherAttributes }),
    nodes: Schema.Array(Column)
  })

  const expression = text().check(
    Schema.makeFilter((value) =>
      value === "" || value !== value.trim() || value.includes("%}") || value.includes("\n")
        ? "must be one line without `%}`, without spaces at its ends"
        : undefined
    )
  )

  const If: Schema.Codec<If> = container("if", { expression }, blocks)

  const Update: Schema.Codec<Update> = container(
    "update",
    {
      date: optionalText,
      tags: Schema.optionalKey(
        Schema.Array(text({ min: 1 }).check(Schema.isPattern(/^[^,]*$/, { message: "must not have commas" })))
      ),
      attributes: otherAttributes
    },
    blocks
  )

  const Updates: Schema.Codec<Updates> = container(
    "updates",
    { format: optionalText, attributes: otherAttributes },
    Schema.Array(Update)
  )

  const fragment = <const Name extends string, Nodes extends Schema.Top>(name: Name, nodes: Nodes) =>
    Schema.Struct({
      object: Schema.Literal("fragment"),
      key: Schema.optionalKey(Schema.String),
      fragment: Schema.Literal(name),
      type: Schema.Literal(name),
      nodes
    })

  const Expandable: Schema.Codec<Expandable> = Schema.Struct({
    ...base("expandable"),
    isVoid,
    open: flag,
    data: emptyData,
    fragments: Schema.Array(
      Schema.Union([
        fragment("expandable-title", Schema.Array(Paragraph)),
        fragment("expandable-body", blocks)
      ])
    )
  })

  return [Hint, Tabs, Stepper, Columns, If, Updates, Expandable] as const
}
