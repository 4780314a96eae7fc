/** The dialog with the title of a reusable content, or the name of a file. */
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"

/** Properties of {@link TitleDialog}. */
export interface TitleDialogProps {
  readonly heading: string
  /** The label of the field. */
  readonly field: string
  readonly submit: string
  readonly initial: string
  readonly onSubmit: (title: string) => Promise<void>
  readonly onClose: () => void
}

/** The dialog with a title. */
export const TitleDialog = ({ heading, field, submit, initial, onSubmit, onClose }: TitleDialogProps) => {
  const [title, setTitle] = useState(initial)
  return (
    <FormDialog
      title={heading}
      submit={submit}
      isDisabled={title.trim() === "" || title.trim() === initial}
      onSubmit={() => onSubmit(title.trim())}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={field}
          autoFocus
          maxLength={256}
          value={title}
          onChange={setTitle}
          error={errorOf("changes")}
        />
      )}
    </FormDialog>
  )
}
