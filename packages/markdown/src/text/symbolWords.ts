/** The words that GitBook writes for symbols in URLs and anchors. */

const words = { "&": "and", "|": "or", "<": "less than", ">": "greater than" } as const

/** Returns text with words for the symbols that GitBook writes as words, separated by spaces. */
export const withSymbolWords = (text: string): string =>
  text.replaceAll(/[&|<>]/g, (symbol) => ` ${words[symbol as keyof typeof words]} `)
