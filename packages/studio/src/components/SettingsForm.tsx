/** A form on a screen: it saves on demand, and displays the errors of the server by field. */
import { ApiError } from "@lectern/client/fetch"
import { type FormEvent, type ReactNode, useState } from "react"
import { messageOfError } from "../data/change.ts"
import { type ErrorOf, errorsByField } from "../data/invalidFields.ts"
import { showToast } from "../data/toasts.ts"
import { commonStrings } from "../strings/common.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Button } from "./Button.tsx"
import { useUnsavedChanges } from "./useUnsavedChanges.ts"

/** Properties of {@link SettingsForm}. */
export interface SettingsFormProps {
  readonly title?: string
  /** One sentence on what the settings are for. */
  readonly description?: ReactNode
  /** The verb of the action; "Save" by default. */
  readonly submit?: string
  readonly isDisabled?: boolean
  /** Whether the form is long and has changes: its button remains in view, and the person is asked before they are lost. */
  readonly hasChanges?: boolean
  /** Whether the button is the primary one of the screen. */
  readonly isPrimary?: boolean
  /** Sends the form. Rejects with `ApiError`. The message is not displayed if it resolves with `false`. */
  readonly onSubmit: () => Promise<unknown>
  /** Displayed once the form is stored; "Saved" by default. */
  readonly message?: string
  readonly children: (errorOf: ErrorOf) => ReactNode
}

/** A form on a screen. */
export const SettingsForm = ({
  title,
  description,
  submit,
  isDisabled = false,
  hasChanges,
  isPrimary = true,
  onSubmit,
  message,
  children
}: SettingsFormProps) => {
  const t = useStrings(commonStrings)
  const shell = useStrings(shellStrings)
  useUnsavedChanges(hasChanges === true)
  const [error, setError] = useState<ApiError>()
  const [isSending, setIsSending] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || isDisabled) return
    setIsSending(true)
    setError(undefined)
    try {
      const isStored = await onSubmit()
      if (isStored !== false) showToast({ kind: "done", message: message ?? t("saved") })
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setIsSending(false)
    }
  }
  const { errorOf, isDisplayed } = errorsByField(error)
  const fields = children(errorOf)
  return (
    <form className="section settings-form" onSubmit={send}>
      {title === undefined ? null : <h2>{title}</h2>}
      {description === undefined ? null : <p className="muted">{description}</p>}
      {error === undefined ? null : (
        <p role="alert" className="form-error">
          {isDisplayed() ? shell("checkFields") : messageOfError(error)}
          {error.requestId === undefined || isDisplayed() ? null : (
            <code className="request-id">{shell("requestId", { id: error.requestId })}</code>
          )}
        </p>
      )}
      {fields}
      <div className={hasChanges === undefined ? undefined : "settings-form-bar"}>
        <Button
          type="submit"
          variant={isPrimary ? "primary" : "normal"}
          isDisabled={isDisabled}
          isPending={isSending}
        >
          {submit ?? t("save")}
        </Button>
      </div>
    </form>
  )
}
