/** Marks the paragraphs of a docx document that are code, quotes and captions, so that mammoth writes them as such. */
import { isMonospaced, meaningOfName, type StyleMeaning, type StyleMeanings } from "./styles.ts"

/** A node of the document that mammoth has read. */
interface DocumentNode {
  readonly type: string
  readonly children?: ReadonlyArray<DocumentNode>
  readonly value?: string
  readonly styleId?: string | null
  readonly styleName?: string | null
  readonly font?: string | null
  readonly numbering?: unknown
}

/** The elements of HTML for the styles that `makeTransform` assigns. */
export const styleMap: ReadonlyArray<string> = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='lectern code block'] => pre:separator('\\n')",
  "p[style-name='lectern quote'] => blockquote > p:fresh",
  "p[style-name='lectern figure'] => figure:fresh",
  "p[style-name='lectern figure caption'] => figure > figcaption:fresh",
  "r[style-name='lectern code'] => code"
]

const withStyle = (node: DocumentNode, styleName: string): DocumentNode => ({
  ...node,
  styleName,
  styleId: null
})

/** The maximum depth of a document. */
const maxDepth = 200

const visit = (node: DocumentNode, each: (node: DocumentNode) => void, depth = 0): void => {
  each(node)
  if (depth < maxDepth) for (const child of node.children ?? []) visit(child, each, depth + 1)
}

const isHeading = ({ styleName }: DocumentNode): boolean =>
  /^(?:heading|title|subtitle)\b/i.test(styleName ?? "")

/** The text and the images of a paragraph. */
interface Content {
  readonly hasText: boolean
  readonly hasImages: boolean
  /** Whether all of the text has a font with characters of equal widths. */
  readonly isMonospaced: boolean
}

const contentOf = (paragraph: DocumentNode, isCode: (run: DocumentNode) => boolean): Content => {
  let [hasText, hasImages, isAllCode] = [false, false, true]
  visit(paragraph, (node) => {
    if (node.type === "image") hasImages = true
    if (node.type !== "run") return
    const text = (node.children ?? []).map(({ value = "" }) => value).join("")
    if (text.trim() === "") return
    hasText = true
    isAllCode &&= isCode(node)
  })
  return { hasText, hasImages, isMonospaced: hasText && isAllCode }
}

/** Returns the transformation of a document, and the function that removes its placeholders from the HTML. */
export const makeTransform = (
  styles: StyleMeanings,
  token: string
): {
  readonly transform: (document: DocumentNode) => DocumentNode
  readonly restore: (html: string) => string
} => {
  /** Text in empty lines of code, which mammoth omits otherwise. */
  const emptyLine = `${token}empty`

  const isCodeRun = (run: DocumentNode): boolean =>
    (run.styleId != null && styles.runs.get(run.styleId) === "code") ||
    meaningOfName(run.styleName) === "code" ||
    isMonospaced(run.font)

  const meaningOf = (paragraph: DocumentNode, content: Content): StyleMeaning | undefined => {
    if (isHeading(paragraph)) return undefined
    const declared =
      (paragraph.styleId == null ? undefined : styles.paragraphs.get(paragraph.styleId)) ??
      meaningOfName(paragraph.styleName)
    if (declared !== undefined) return declared
    return content.isMonospaced && paragraph.numbering == null ? "code" : undefined
  }

  const transformRuns = (node: DocumentNode, depth: number): DocumentNode => {
    if (node.children === undefined || depth > maxDepth) return node
    const children = node.children.map((child) => transformRuns(child, depth + 1))
    const copy = { ...node, children }
    return node.type === "run" && isCodeRun(node) ? withStyle(copy, "lectern code") : copy
  }

  const transformParagraph = (
    paragraph: DocumentNode,
    meaning: StyleMeaning | undefined,
    { hasText }: Content,
    depth: number
  ): DocumentNode => {
    if (meaning === "code") {
      const line = hasText
        ? paragraph
        : { ...paragraph, children: [{ type: "run", children: [{ type: "text", value: emptyLine }] }] }
      return withStyle(line, "lectern code block")
    }
    const transformed = transformRuns(paragraph, depth)
    return meaning === "quote" ? withStyle(transformed, "lectern quote") : transformed
  }

  const transformNode = (node: DocumentNode, depth: number): DocumentNode => {
    if (node.children === undefined || depth > maxDepth) return node
    const siblings = node.children.map((child) => {
      if (child.type !== "paragraph") return { child, meaning: undefined, content: undefined }
      const content = contentOf(child, isCodeRun)
      return { child, meaning: meaningOf(child, content), content }
    })
    const isFigure = siblings.map(
      ({ content }, index) =>
        content?.hasImages === true &&
        !content.hasText &&
        siblings[index + 1]?.meaning === "caption" &&
        siblings[index + 1]!.content!.hasText
    )
    const children = siblings.map(({ child, meaning, content }, index) => {
      if (content === undefined) return transformNode(child, depth + 1)
      if (isFigure[index]) return withStyle(child, "lectern figure")
      const transformed = transformParagraph(child, meaning, content, depth + 1)
      return isFigure[index - 1] === true ? withStyle(transformed, "lectern figure caption") : transformed
    })
    return { ...node, children }
  }

  return {
    transform: (document) => transformNode(document, 0),
    restore: (html) => html.replaceAll(emptyLine, "")
  }
}
