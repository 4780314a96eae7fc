/** The elements of HTML in pages that are displayed, by published pages and by the application. */

/** Elements that are displayed as they are, without attributes. */
export const plainHtmlElements: ReadonlySet<string> = new Set(
  `b blockquote br code dd del div dl dt em figcaption figure hr ins kbd li mark ol p pre s small span strong sub sup table
  tbody td th thead tr ul`.split(/\s+/)
)

/** Elements whose content is never displayed as text. */
export const invisibleHtmlElements: ReadonlySet<string> = new Set(
  `script style template noscript iframe object embed svg math head title textarea select noembed noframes xmp
  plaintext`.split(/\s+/)
)
