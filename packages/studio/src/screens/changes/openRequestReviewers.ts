/** Opens the dialog that requests reviewers. Its code is loaded when it is opened. */
import type { ChangeRequest } from "@lectern/client/fetch"

/** Opens the dialog that requests reviewers. */
export const openRequestReviewers = (request: ChangeRequest): void =>
  void import("./RequestReviewersDialog.tsx").then(({ openDialogOf }) => openDialogOf(request))
