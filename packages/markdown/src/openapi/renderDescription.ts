/** Renders the descriptions of an operation or a schema within the detail of its page. */
import type { ApiBuilder, ApiContent } from "./ApiBuilder.ts"
import type { OperationDetail } from "./PageDetail.ts"

/** The maximum length of a description, in characters. */
const maximumLength = 20_000

/** Matches text without any markup, which needs no parser. */
const plainText = /^[\p{L}\p{N} ,.;'"()/?\u2013\u2014-]*$/u

/** Renders a description in Markdown; nothing if its page has no characters left. */
export const renderDescription = <Node>(
  { element, markdown }: ApiBuilder<Node>,
  detail: OperationDetail,
  given: string
): ApiContent<Node> => {
  const text = given.slice(0, maximumLength).toWellFormed()
  if (!detail.takeCharacters(text.length)) return undefined
  return plainText.test(text) ? element("p", {}, text) : markdown(text)
}

/** Renders the sentence that a display omits details, with a link to the document; nothing for a complete display. */
export const renderIncomplete = <Node>(
  { element, messages, documentLink }: ApiBuilder<Node>,
  { isIncomplete }: OperationDetail
): ApiContent<Node> =>
  isIncomplete && element("p", { class: "api-incomplete" }, messages.incomplete, documentLink())
