/** Adds the style sheets of the editor to a document, without a style element: a strict policy permits it. */
import { styles } from "./styles.gen.ts"

const adopted = new WeakSet<Document>()

/** Adds the style sheets of the editor to a document, once. */
export const adoptStyles = (document: Document): void => {
  if (adopted.has(document)) return
  adopted.add(document)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
