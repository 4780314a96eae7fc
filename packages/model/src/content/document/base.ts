/** Fields that the schemas of blocks share. */
import * as Schema from "effect/Schema"
import { text } from "../../schema/Text.ts"

/** The fields of each block: its kind of node, its type and its key. */
export const base = <const Type extends string>(type: Type) => ({
  object: Schema.Literal("block"),
  type: Schema.Literal(type),
  key: Schema.optionalKey(Schema.String)
})

/** The fields of a block with nodes. */
export interface ContainerNode<Type extends string> {
  /** The type of the node: `block`. */
  readonly object: "block"
  /** The type of the block. */
  readonly type: Type
  /** The key of the block, unique in the document. */
  readonly key?: string
  /** Always `false`: the block has content. */
  readonly isVoid?: false
}

/** The fields of a block without nodes. */
export interface VoidNode<Type extends string> {
  /** The type of the node: `block`. */
  readonly object: "block"
  /** The type of the block. */
  readonly type: Type
  /** The key of the block, unique in the document. */
  readonly key?: string
  /** Always `true`: the block has no content. */
  readonly isVoid: true
}

/** The fields of a part of a block. */
export interface FragmentNode<Name extends string> {
  /** The type of the node: `fragment`. */
  readonly object: "fragment"
  /** The key of the fragment, unique in the document. */
  readonly key?: string
  /** The name of the part of the block that the fragment is. */
  readonly fragment: Name
  /** The type of the content. */
  readonly type: Name
}

/** `isVoid` of a block with nodes. */
export const isNotVoid = Schema.optionalKey(Schema.Literal(false))

/** `isVoid` of a block without nodes. */
export const isVoid = Schema.Literal(true)

/** An object whose fields are ignored. A struct without fields accepts every value except null. */
export const emptyData = Schema.Record(Schema.String, Schema.Unknown)

/** The alignment of text. `start` is the default. */
export const textAlignment = Schema.optionalKey(Schema.Literals(["start", "center", "end"]))

/** The vertical alignment of a cell or a column. */
export const verticalAlignment = Schema.optionalKey(Schema.Literals(["top", "middle", "bottom"]))

/** An optional flag. Its absence means false. */
export const flag = Schema.optionalKey(Schema.Boolean)

/** Whether a number is written with digits only. */
export const isLengthValue = (value: number): boolean =>
  value >= 0 && /^\d{1,9}(?:\.\d+)?$/.test(String(value))

const lengthValue = Schema.Finite.check(
  Schema.makeFilter((value: number) =>
    isLengthValue(value) ? undefined : "must be between 0 and 999999999, and not smaller than 0.000001"
  )
)

/** A length: a number of pixels, or a value with its unit. */
export const Length = Schema.Union([
  lengthValue,
  Schema.Struct({
    unit: Schema.String.check(
      Schema.isPattern(/^(?:%|[a-z]{1,4})$/, { message: "must be a unit as in 50%" })
    ),
    value: lengthValue
  })
])

/** The value of an attribute of a tag. Numbers and booleans are written without quotes. */
export const AttributeValue = Schema.Union([text(), Schema.Finite, Schema.Boolean])

/** Matches the name of an attribute of a tag. */
export const attributeName = /^[A-Za-z_][\w.:-]{0,63}$/

/** Attributes of a tag by name. */
export interface AttributeValues {
  readonly [name: string]: string | number | boolean
}

/** Attributes of a tag by name. */
export const Attributes: Schema.Codec<AttributeValues> = Schema.Record(
  Schema.String.check(Schema.isPattern(attributeName, { message: "must be the name of an attribute" })),
  AttributeValue
)

/** The attributes of the tag of a block that no other field represents. */
export const otherAttributes = Schema.optionalKey(Attributes)
