/** The actions on labels with the roles that permit them, and the errors of labels with their HTTP statuses. */
import { defineActions, defineErrors } from "@lectern/client"

/** Who reads a space lists its labels, who edits it adds them, and who reviews its changes removes them. */
export const labelActions = defineActions("labels", {
  space: { list: "read", add: "edit", remove: "review" }
})

/** The reasons `labels.NameTaken` and `labels.TooMany`. */
export const labelErrors = defineErrors("labels", {
  NameTaken: { status: 409, description: "Another label of the space has this name." },
  TooMany: { status: 422, description: "The space has 100 labels." }
})
