/** A dialog with a form: it sends once, displays errors by field, and stays open until the server has accepted. */
import { ApiError } from "@lectern/client/fetch"
import { type FormEvent, type ReactNode, useState } from "react"
import { Declined, messageOfError } from "../data/change.ts"
import { type ErrorOf, errorsByField } from "../data/invalidFields.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

/** Properties of {@link FormDialog}. */
export interface FormDialogProps {
  readonly title: string
  /** The verb of the action. */
  readonly submit: string
  readonly isDisabled?: boolean
  /** Sends the form. The dialog closes when it resolves. */
  readonly onSubmit: () => Promise<void>
  readonly onClose: () => void
  /** Renders the fields. `errorOf` returns the error of a field of the request. */
  readonly children: (errorOf: ErrorOf) => ReactNode
}

/** A dialog with a form. */
export const FormDialog = ({
  title,
  submit,
  isDisabled = false,
  onSubmit,
  onClose,
  children
}: FormDialogProps) => {
  const t = useStrings(shellStrings)
  const [error, setError] = useState<ApiError>()
  const [isSending, setIsSending] = useState(false)
  const onFormSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || isDisabled) return
    setIsSending(true)
    setError(undefined)
    try {
      await onSubmit()
      onClose()
    } catch (failure) {
      if (failure instanceof Declined) return
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setIsSending(false)
    }
  }
  const { errorOf, isDisplayed } = errorsByField(error)
  const fields = children(errorOf)
  return (
    <Dialog title={title} onClose={onClose} isDismissable={false}>
      <form onSubmit={onFormSubmit}>
        <div className="dialog-body">
          {error === undefined ? null : (
            <p role="alert" className="form-error">
              {isDisplayed() ? t("checkFields") : messageOfError(error)}
              {error.requestId === undefined || isDisplayed() ? null : (
                <code className="request-id">{t("requestId", { id: error.requestId })}</code>
              )}
            </p>
          )}
          {fields}
        </div>
        <footer className="dialog-footer">
          <Button variant="quiet" onPress={onClose}>
            {t("cancel")}
          </Button>
          <Button variant="primary" type="submit" isDisabled={isDisabled} isPending={isSending}>
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
