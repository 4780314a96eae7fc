/** Emojis by name, such as `:smile:`. Unknown names are text. */
import type { Literal } from "mdast"
import type { Extension as CompilerExtension } from "mdast-util-from-markdown"
import type { Handle, Options } from "mdast-util-to-markdown"
import type { Code, Construct, Effects, State } from "micromark-util-types"
import { emojiNamed } from "./emojis.ts"
import type { SyntaxExtension } from "./gfmExtensions.ts"

/** An emoji. */
export interface Emoji extends Literal {
  /** The type of the node. */
  readonly type: "emoji"
  /** The name, without colons. */
  readonly name: string
  /** The characters. */
  readonly value: string
}

declare module "mdast" {
  interface PhrasingContentMap {
    emoji: Emoji
  }
  interface RootContentMap {
    emoji: Emoji
  }
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    emojiName: "emojiName"
  }
}

const colon = 58
const maximumLength = 50

const isAlphanumeric = (code: Code): boolean =>
  code !== null && code >= 48 && /[A-Za-z0-9]/.test(String.fromCharCode(code))

const isNameCharacter = (code: Code): code is number =>
  code !== null && code >= 43 && /[a-z0-9_+-]/.test(String.fromCharCode(code))

const emoji: Construct = {
  name: "emojiName",
  previous(code: Code): boolean {
    if (code === colon) return this.events.at(-1)?.[1].type === "emojiName"
    return !isAlphanumeric(code)
  },
  tokenize(effects: Effects, ok: State, nok: State): State {
    let name = ""
    const inName: State = (code) => {
      if (code === colon && emojiNamed(name) !== undefined) {
        effects.consume(code)
        return after
      }
      if (!isNameCharacter(code) || name.length >= maximumLength) return nok(code)
      name += String.fromCharCode(code)
      effects.consume(code)
      return inName
    }
    const after: State = (code) => {
      if (isAlphanumeric(code)) return nok(code)
      effects.exit("emojiName")
      return ok(code)
    }
    return (code) => {
      effects.enter("emojiName")
      effects.consume(code)
      return inName
    }
  }
}

/** The extension of the parser for emojis. */
export const emojiSyntax: SyntaxExtension = { text: { [colon]: emoji } }

/** The extension of the compiler for emojis. */
export const emojiFromMarkdown: CompilerExtension = {
  enter: {
    emojiName(token) {
      const name = this.sliceSerialize(token).slice(1, -1)
      this.enter({ type: "emoji", name, value: emojiNamed(name)?.emoji ?? "" }, token)
    }
  },
  exit: {
    emojiName(token) {
      this.exit(token)
    }
  }
}

const handler: Handle = Object.assign((({ name }: Emoji) => `:${name}:`) satisfies Handle, {
  peek: () => ":"
})

/** Whether an emoji can follow text by its name. */
export const canPrecedeName = (text: string): boolean => !/[A-Za-z0-9:]$/.test(text)

/** Whether text can follow an emoji by its name. */
export const canFollowName = (text: string): boolean => !/^[A-Za-z0-9]/.test(text)

/** Escapes the names of emojis in serialized text. */
export const escapeEmojiNames = (markdown: string): string =>
  markdown.includes(":")
    ? markdown.replace(/(?<!:):(?=([a-z0-9_+-]{1,50}):)/g, (written, name: string) =>
        emojiNamed(name) === undefined ? written : `\\${written}`
      )
    : markdown

/** The extension of the serializer for emojis. */
export const emojiToMarkdown: Options = { handlers: { emoji: handler } }
