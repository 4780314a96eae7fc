/** Dialogs, for decisions and short forms, which have no address. */

import type { ReactNode } from "react"
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components"
import { X } from "../icons/icons.gen.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Button, IconButton } from "./Button.tsx"

/** Properties of {@link Dialog}. */
export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The size; `normal` is for forms. */
  readonly size?: "normal" | "wide"
  /** Whether it can be closed by a click outside of it; not for forms with text. */
  readonly isDismissable?: boolean
  /** Whether Escape closes it; not for text that cannot be displayed again. */
  readonly isClosedByEscape?: boolean
}

/** A dialog, for as long as it is rendered. */
export const Dialog = ({
  title,
  onClose,
  children,
  size = "normal",
  isDismissable = true,
  isClosedByEscape = true
}: DialogProps) => {
  const t = useStrings(shellStrings)
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isClosedByEscape}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className={`dialog dialog-${size}`}>
        <AriaDialog>
          <header className="dialog-header">
            <Heading slot="title">{title}</Heading>
            <IconButton label={t("close")} icon={<X size={18} />} onPress={onClose} />
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Properties of {@link ConfirmDialog}. */
export interface ConfirmDialogProps {
  readonly title: string
  /** The effect of the action, and whether it can be undone. */
  readonly children: ReactNode
  /** The verb of the action, which is also its button. */
  readonly confirm: string
  readonly isDangerous?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirms an action that cannot be undone. */
export const ConfirmDialog = ({
  title,
  children,
  confirm,
  isDangerous = true,
  onConfirm,
  onClose
}: ConfirmDialogProps) => {
  const t = useStrings(shellStrings)
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">{children}</div>
      <footer className="dialog-footer">
        <Button variant="quiet" onPress={onClose}>
          {t("cancel")}
        </Button>
        <Button
          variant={isDangerous ? "danger" : "primary"}
          onPress={() => {
            onClose()
            onConfirm()
          }}
        >
          {confirm}
        </Button>
      </footer>
    </Dialog>
  )
}
