/** Bounds how deep YAML is nested. */
import { Parser } from "yaml"
import { checkDepth } from "./checkDocument.ts"

/**
 * Follows the tokens of a document, and throws `InvalidDocument` if flow collections, or block collections that begin on one line,
 * are nested too deep: the time of the parser is quadratic in their depth. Other block collections are indented, so that the size
 * of the document bounds their depth.
 */
export class YamlNesting {
  #flowDepth = 0
  #lineDepth = 0
  #isScalar = false

  /** Whether the next token is inside of a flow collection. */
  get isFlow(): boolean {
    return this.#flowDepth > 0
  }

  next(token: string): void {
    if (this.#isScalar) this.#isScalar = false
    else if (token === "\u{1F}") this.#isScalar = true
    else if (token === "\n" || token === "\r\n") this.#lineDepth = 0
    else {
      if (token === "[" || token === "{") this.#flowDepth++
      else if (token === "]" || token === "}") this.#flowDepth--
      else if (token === "-" || token === "?") this.#lineDepth++
      else return
      checkDepth(this.#flowDepth + this.#lineDepth)
    }
  }
}

/** A parser that throws `InvalidDocument` if a document is nested too deep. */
export class BoundedParser extends Parser {
  readonly #nesting = new YamlNesting()

  override *next(token: string): ReturnType<Parser["next"]> {
    this.#nesting.next(token)
    yield* super.next(token)
  }
}
