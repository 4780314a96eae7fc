// cspell:disable
/** Pages and models for tests of translations. */
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import { OrganizationId } from "@lectern/model"
import { Effect } from "effect"
import type { AskForTexts, TextToTranslate } from "../../src/translation/run/askForTexts.ts"
import {
  type PageContext,
  type TranslatedPage,
  translatePage
} from "../../src/translation/run/translatePage.ts"
import { makeFindTerms, type Term } from "../../src/translation/texts/glossary.ts"
import { Rejected } from "../../src/translation/texts/placeholders.ts"

/** Pieces of pages: every block and every inline, with text that a model translates. */
export const pieces: ReadonlyArray<string> = [
  "Plain words.",
  "Words with **bold**, *italic*, ~~deleted~~, `code here` and <kbd>Ctrl</kbd> keys.",
  "A [link to a page](install.md), an [external **bold** link](https://example.com/a?b=1) and https://bare.example/path.",
  'An expression <code class="expression">space.vars.version</code> and a formula $$e^{i\\pi}$$ in a line.',
  ':rocket: <i class="fa-gear">:gear:</i> <a href="install.md" class="button primary" data-icon="rocket">Get started</a>',
  "Coupled ![alternative text](https://example.com/i.png) with words.",
  'H<sub>2</sub>O and <mark style="color:red;">red words</mark>.',
  "An [annotated word](#user-content-fn-1)[^1].",
  "Escapes: 1 < 2 & 3 > 2, \\*stars\\*, \\_lines\\_, <not a tag.",
  "## A heading",
  "### A heading with `code`",
  "* One item\n* Two items with **bold**\n  * Nested item",
  "1. First step\n2. Second step",
  "- [x] Done task\n- [ ] Open task",
  "> A quote of someone.",
  '```ts\nconst untouched = "words in code"\n```',
  '{% code title="src/a.ts" %}\n```js\nuntouched()\n```\n{% endcode %}',
  '{% hint style="warning" %}\nBe careful with [links](install.md).\n{% endhint %}',
  '{% tabs %}\n{% tab title="First tab" %}\nText of the tab\n{% endtab %}\n{% endtabs %}',
  "{% stepper %}\n{% step %}\n### Install it\n\nRun the installer.\n{% endstep %}\n{% endstepper %}",
  "| Name | Count |\n| --- | ---: |\n| A cell with **bold** | 12 |",
  "<details>\n\n<summary>Expand this</summary>\n\nHidden words.\n\n</details>",
  '<figure><img src="https://example.com/x.png" alt="The picture"><figcaption><p>A caption</p></figcaption></figure>',
  '{% embed url="https://example.com/video" %}\nCaption of the video\n{% endembed %}',
  "{% if visitor.claims.insider %}\nOnly for insiders\n{% endif %}",
  "$$\nx^2\n$$",
  "<div>raw HTML stays</div>"
]

/** The definition of the footnotes that pieces refer to. */
export const footnote = "[^1]: The note with words."

/** Translates each word outside of placeholders by a function. */
export const translateWords =
  (word: (word: string) => string) =>
  ({ text }: TextToTranslate): string =>
    text
      .split(/(<\/?\d+\/?>|&[a-z]+;)/)
      .map((part, index) => (index % 2 === 1 ? part : part.replace(/\p{L}+/gu, word)))
      .join("")

/** Answers with the translations of a function. Rejected translations are missing, as after a second attempt. */
export const answering =
  (translate: (text: TextToTranslate) => string): AskForTexts =>
  (_, texts) =>
    Effect.sync(() => {
      const translations = new Map<string, string>()
      const rejected = new Map<string, string>()
      for (const text of texts) {
        const translation = translate(text)
        try {
          text.check(translation)
          translations.set(text.hash, translation.trim())
        } catch (error) {
          if (!(error instanceof Rejected)) throw error
          rejected.set(text.hash, error.message)
        }
      }
      return { translations, rejected }
    })

/** The context of pages that a function translates. */
export const contextOf = (ask: AskForTexts, terms: ReadonlyArray<Term> = []): PageContext => ({
  languages: { organization: OrganizationId.make("0".repeat(30)), from: "en", to: "fr", instructions: "" },
  findTerms: makeFindTerms(terms),
  ask
})

/** Translates the Markdown of a page. Its title and description are words. */
export const translateMarkdown = (
  context: PageContext,
  markdown: string
): { readonly page: TranslatedPage; readonly markdown: string } => {
  const document = fromMarkdown(markdown)
  const page = { title: "The title", description: "The description", document }
  const known = { translations: new Map<string, string>(), changed: new Map() }
  const translated = Effect.runSync(Effect.orDie(translatePage(context, page, known)))
  return { page: translated, markdown: toMarkdown(translated.document!) }
}
