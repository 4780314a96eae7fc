/** The confirmation of an action that cannot be undone. */
import { ConfirmDialog } from "./Dialog.tsx"
import { openDialog } from "./openDialog.tsx"

/** A question before an action. */
export interface Confirmation {
  readonly title: string
  /** The effects of the action, and whether it can be undone. */
  readonly body: string
  /** The verb of the action. */
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly run: () => void
}

/** Opens a confirmation, and runs the action once it is confirmed. */
export const openConfirm = ({ title, body, confirm, isDangerous = true, run }: Confirmation): void =>
  openDialog((onClose) => (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      isDangerous={isDangerous}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{body}</p>
    </ConfirmDialog>
  ))
