/**
 * Reads the literals of a JavaScript or TypeScript module: objects, arrays, strings, numbers, booleans and null. A module is
 * never executed. Values that are computed, such as calls and references, are undefined and counted.
 */

/** The value of a module, as far as it consists of literals. */
export interface ModuleLiteral {
  readonly value: unknown
  /** The number of values that are not literals. */
  readonly computed: number
}

/** The maximum depth of a value, and the maximum size of a module in characters. */
const maximumDepth = 64
const maximumSize = 2 * 1024 * 1024

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0"
}

class LiteralReader {
  computed = 0
  private at: number
  private readonly text: string

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  private skipSpace(): void {
    const space = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
    for (;;) {
      space.lastIndex = this.at
      if (!space.test(this.text)) return
      this.at = space.lastIndex
    }
  }

  private take(token: string): boolean {
    this.skipSpace()
    if (!this.text.startsWith(token, this.at)) return false
    this.at += token.length
    return true
  }

  private readString(quote: string): string | undefined {
    let value = ""
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!
      if (character === quote) {
        this.at++
        return value
      }
      if (quote === "`" && this.text.startsWith("${", this.at)) return undefined
      if (character !== "\\") {
        value += character
        continue
      }
      const escaped = this.text[++this.at] ?? ""
      const code = /^(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2}))/i.exec(
        this.text.slice(this.at, this.at + 9)
      )
      if (code !== null) {
        value += String.fromCodePoint(Math.min(Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16), 0x10ffff))
        this.at += code[0].length - 1
      } else if (escaped !== "\n") value += escapes[escaped] ?? escaped
    }
    return undefined
  }

  /** Skips an expression to the next comma or closing bracket at its level. */
  private skipExpression(): undefined {
    this.computed++
    for (let depth = 0; this.at < this.text.length; ) {
      this.skipSpace()
      const character = this.text[this.at] ?? ""
      if ("\"'`".includes(character) && character !== "") {
        // A template with expressions is skipped to its end.
        const end = new RegExp(`${character}(?:[^\\\\${character}]|\\\\[\\s\\S])*${character}`, "y")
        end.lastIndex = this.at
        this.at = end.test(this.text) ? end.lastIndex : this.text.length
        continue
      }
      if ("([{".includes(character)) depth++
      else if (")]}".includes(character)) {
        if (depth === 0) return undefined
        depth--
      } else if (depth === 0 && (character === "," || character === ";")) return undefined
      this.at++
    }
    return undefined
  }

  /** Skips what follows a literal and does not change it, such as `as const`. Other operators make the value computed. */
  private finish(value: unknown): unknown {
    this.skipSpace()
    const suffix = /(?:as|satisfies)\s+[\w.$]+(?:<[^<>]*>)?(?:\[\])?/y
    for (;;) {
      suffix.lastIndex = this.at
      if (!suffix.test(this.text)) break
      this.at = suffix.lastIndex
      this.skipSpace()
    }
    return this.at >= this.text.length || ",;)]}".includes(this.text[this.at]!) || this.startsStatement()
      ? value
      : this.skipExpression()
  }

  private startsStatement(): boolean {
    return /^(?:export|module|const|let|var|function|import)\b/.test(this.text.slice(this.at, this.at + 10))
  }

  readValue(depth = 0): unknown {
    this.skipSpace()
    const character = this.text[this.at] ?? ""
    if (depth > maximumDepth) return this.skipExpression()
    if (character === "{") return this.finish(this.readObject(depth))
    if (character === "[") return this.finish(this.readArray(depth))
    if (character !== "" && "\"'`".includes(character)) {
      const start = this.at
      const value = this.readString(character)
      if (value !== undefined) return this.finish(value)
      this.at = start
      return this.skipExpression()
    }
    const word = /[-+]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)|true\b|false\b|null\b|undefined\b/iy
    word.lastIndex = this.at
    const found = word.exec(this.text)?.[0]
    if (found === undefined) return this.skipExpression()
    this.at = word.lastIndex
    const constants: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, undefined }
    return this.finish(found in constants ? constants[found] : Number(found.replaceAll("_", "")))
  }

  private readArray(depth: number): ReadonlyArray<unknown> {
    const values: Array<unknown> = []
    this.at++
    while (!this.take("]") && this.at < this.text.length) {
      const spread = this.take("...")
      const value = this.readValue(depth + 1)
      if (spread && Array.isArray(value)) values.push(...(value as ReadonlyArray<unknown>))
      else if (value !== undefined) values.push(value)
      if (!this.take(",")) {
        this.take("]")
        break
      }
    }
    return values
  }

  private readObject(depth: number): Readonly<Record<string, unknown>> {
    const value: Record<string, unknown> = Object.create(null)
    this.at++
    while (!this.take("}") && this.at < this.text.length) {
      if (this.take("...")) this.readValue(depth + 1)
      else {
        const key = this.readKey()
        if (key !== undefined && this.take(":")) value[key] = this.readValue(depth + 1)
        else this.skipExpression()
      }
      if (!this.take(",")) {
        this.take("}")
        break
      }
    }
    return value
  }

  private readKey(): string | undefined {
    this.skipSpace()
    const character = this.text[this.at] ?? ""
    if (character !== "" && "\"'`".includes(character)) return this.readString(character)
    const name = /[\p{L}_$][\p{L}\p{N}_$]*|\d+/uy
    name.lastIndex = this.at
    const found = name.exec(this.text)?.[0]
    if (found !== undefined) this.at = name.lastIndex
    return found
  }
}

/** Returns the literal that starts at a position of a module. */
export const literalAt = (text: string, position: number): ModuleLiteral => {
  const reader = new LiteralReader(text, position)
  const value = reader.readValue()
  return { value, computed: reader.computed }
}

/**
 * Returns the object or array that a module exports: directly, or by the name of a variable. Returns undefined for a module that
 * exports something else, or is larger than 2 MiB.
 */
export const exportedLiteral = (text: string): ModuleLiteral | undefined => {
  if (text.length > maximumSize) return undefined
  const exported = /(?:^|\n)[ \t]*(?:module\.exports\s*=|exports\.default\s*=|export\s+default)\s*/.exec(text)
  if (exported === null) {
    try {
      return { value: JSON.parse(text), computed: 0 }
    } catch {
      return undefined
    }
  }
  const start = exported.index + exported[0].length
  const name = /^[A-Za-z_$][\w$]*/.exec(text.slice(start, start + 100))?.[0]
  if (name === undefined) return literalAt(text, start)
  const declaration = new RegExp(
    `(?:^|\\n)[ \\t]*(?:const|let|var)\\s+${name.replaceAll("$", "\\$")}\\s*(?::[^=]{0,200})?=\\s*`
  ).exec(text)
  return declaration === null ? undefined : literalAt(text, declaration.index + declaration[0].length)
}
