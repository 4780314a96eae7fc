/** Reads the attributes of a tag by type. A tag with a value of another type is not valid. */
import { isLengthValue } from "@lectern/model/document"
import { type AttributeValue, attributesIn, type Tag } from "./tags.ts"

/** Reads each attribute of a tag at most once. `isValid` is final after the last attribute. */
export class TagReader {
  private readonly values: Map<string, AttributeValue>
  private valid: boolean

  constructor(tag: Tag) {
    const values = attributesIn(tag.rest)
    this.valid = values !== undefined
    this.values = values ?? new Map()
  }

  /** Whether the tag is well-formed and its values have the types that were read. */
  get isValid(): boolean {
    return this.valid
  }

  private take(name: string): AttributeValue | undefined {
    const value = this.values.get(name)
    this.values.delete(name)
    return value
  }

  /** Returns the text of an attribute. */
  text(name: string): string | undefined {
    const value = this.take(name)
    if (value === true) this.valid = false
    return value === undefined ? undefined : String(value)
  }

  /** Returns true for an attribute that is set, undefined for one that is absent or false. */
  flag(name: string): true | undefined {
    const value = this.take(name)
    if (value === true || value === "true") return true
    if (value !== undefined && value !== false && value !== "false") this.valid = false
    return undefined
  }

  /** Returns the value of an attribute, which must be one of `options`. */
  oneOf<const Option extends string>(name: string, options: ReadonlyArray<Option>): Option | undefined {
    const value = this.take(name)
    const found = options.find((option) => option === value)
    if (value !== undefined && found === undefined) this.valid = false
    return found
  }

  /** Returns the comma-separated values of an attribute. */
  list(name: string): ReadonlyArray<string> | undefined {
    return this.text(name)
      ?.split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
  }

  /** Returns a length, as in `50%`, `200px` or `200`. */
  length(name: string): number | { readonly unit: string; readonly value: number } | undefined {
    const written = this.text(name)
    if (written === undefined) return undefined
    const [, value, unit] = /^(\d{1,9}(?:\.\d{1,20})?)(%|[a-z]{1,4})?$/.exec(written) ?? []
    if (value === undefined || !isLengthValue(Number(value))) {
      this.valid = false
      return undefined
    }
    return unit === undefined ? Number(value) : { unit, value: Number(value) }
  }

  /** Returns the attributes that were not read and `others`, undefined without any. */
  attributes(
    others: Readonly<Record<string, string>> = {}
  ): Readonly<Record<string, AttributeValue>> | undefined {
    const attributes = { ...others, ...Object.fromEntries(this.values) }
    return Object.keys(attributes).length === 0 ? undefined : attributes
  }

  /** Ends a tag whose block has no place for other attributes. */
  end(): void {
    if (this.values.size > 0) this.valid = false
  }
}
