/** Markdown as text and as a syntax tree: the one place that says which markdown it is. */
import type { Root } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

/** The syntax tree of GitHub-flavoured markdown, with the places of its nodes in the text. */
export const parse = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
