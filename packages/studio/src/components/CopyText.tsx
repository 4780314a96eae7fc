/** Text to copy, such as URLs and secrets. */

import { useState } from "react"
import { Check, Copy } from "../icons/icons.gen.ts"
import { commonStrings } from "../strings/common.ts"
import { useStrings } from "../strings/strings.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { openDialog } from "./openDialog.tsx"

/** Properties of {@link CopyText}. */
export interface CopyTextProps {
  /** The accessible name of the text. */
  readonly label: string
  readonly text: string
}

/** Read-only text with a button that copies it. */
export const CopyText = ({ label, text }: CopyTextProps) => {
  const t = useStrings(commonStrings)
  const [isCopied, setIsCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      // The text is selected when the field is focused, so it can be copied by the keyboard.
      () => undefined
    )
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <span className="copy-text">
        <input
          className="input"
          readOnly
          value={text}
          aria-label={label}
          onFocus={(event) => event.target.select()}
        />
        <Button icon={isCopied ? <Check size={16} /> : <Copy size={16} />} onPress={copy}>
          {isCopied ? t("copied") : t("copy")}
        </Button>
      </span>
    </div>
  )
}

interface SecretDialogProps {
  readonly title: string
  readonly description: string
  readonly label: string
  readonly secret: string
  readonly onClose: () => void
}

const SecretDialog = ({ title, description, label, secret, onClose }: SecretDialogProps) => {
  const t = useStrings(commonStrings)
  return (
    <Dialog title={title} onClose={onClose} isDismissable={false} isClosedByEscape={false}>
      <div className="dialog-body">
        <p>{description}</p>
        <CopyText label={label} text={secret} />
      </div>
      <footer className="dialog-footer">
        <Button variant="primary" onPress={onClose}>
          {t("done")}
        </Button>
      </footer>
    </Dialog>
  )
}

/** Displays a secret that the server cannot display again. */
export const openSecret = (secret: Omit<SecretDialogProps, "onClose">): void =>
  openDialog((onClose) => <SecretDialog {...secret} onClose={onClose} />)
