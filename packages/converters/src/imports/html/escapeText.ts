/** Escapes the text of HTML. */

/** Replaces the characters of text that begin markup. */
export const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
