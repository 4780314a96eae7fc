/** A dialog with a form: it sends once, displays errors by field, and stays open until the server has accepted. */
import { ApiError } from "@lectern/client/fetch"
import { type FormEvent, type ReactNode, useState } from "react"
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
  readonly children: (errorOf: (path: string) => string | undefined) => ReactNode
}

/** Returns the errors by field. A field inside of another one belongs to it. */
const errorAt = (error: ApiError | undefined, path: string): string | undefined =>
  error?.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))?.message

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
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose} isDismissable={false}>
      <form onSubmit={onFormSubmit}>
        <div className="dialog-body">
          {error === undefined ? null : (
            <p role="alert" className="form-error">
              {error.message}
              {error.requestId === undefined ? null : (
                <code className="request-id">{t("requestId", { id: error.requestId })}</code>
              )}
            </p>
          )}
          {children((path) => errorAt(error, path))}
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
