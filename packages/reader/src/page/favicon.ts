/** The icon of a site in the tab of a browser: an emoji as a vector graphic. */
import { escapeText } from "../html/Html.ts"
import type { SafeUrl } from "../html/urls.ts"

/** Returns an icon with an emoji, as a `data:` URL of an image, which executes nothing. The default is a book. */
export const emojiFavicon = (emoji = "📖"): SafeUrl => {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><text y=".9em" font-size="90">${escapeText(emoji)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(image)}` as SafeUrl
}
