/** Copies the link at which colleagues read the pages of a change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { showToast } from "../../data/toasts.ts"
import { toHref } from "../../router/location.ts"
import { translate } from "../../strings/strings.ts"
import { reviewStrings } from "./reviewStrings.ts"

/** Copies the link to a change request for reading. The message contains it if the browser does not permit copying. */
export const copyPreviewLink = async ({ space, number }: ChangeRequest): Promise<void> => {
  const path = toHref(`/spaces/${space}/changes/${number}?view=read`)
  const url = new URL(path, window.location.href).href
  try {
    await navigator.clipboard.writeText(url)
    showToast({ kind: "done", message: translate(reviewStrings, "previewCopied") })
  } catch {
    showToast({ kind: "done", message: translate(reviewStrings, "previewNotCopied", { url }) })
  }
}
