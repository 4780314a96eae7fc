/** The choice of where to edit a page that a change request does not contain. */
import { useState } from "react"
import { Button } from "../components/Button.tsx"
import { RadioField } from "../components/CheckField.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { useStrings } from "../strings/strings.ts"
import { choiceStrings } from "./choiceStrings.ts"

/** Where a page that is missing from a change request is edited. */
export type MissingPageChoice = "update" | "new"

/** Properties of {@link MissingPageDialog}. */
export interface MissingPageDialogProps {
  /** The number of the change request. */
  readonly number: number
  /** Whether an update from the space adds the page. Otherwise the change request has deleted it. */
  readonly canUpdate: boolean
  readonly onChoose: (choice: MissingPageChoice) => void
  readonly onClose: () => void
}

/** A dialog that states why a page is missing from a change request, with the ways to edit it. */
export const MissingPageDialog = ({ number, canUpdate, onChoose, onClose }: MissingPageDialogProps) => {
  const t = useStrings(choiceStrings)
  const [chosen, setChosen] = useState<MissingPageChoice>(canUpdate ? "update" : "new")
  return (
    <Dialog title={t("missingTitle", { number })} onClose={onClose}>
      <div className="dialog-body">
        <RadioField
          label={t(canUpdate ? "newerPage" : "deletedPage", { number })}
          value={chosen}
          choices={[
            ...(canUpdate ? [{ value: "update" as const, label: t("update", { number }) }] : []),
            { value: "new" as const, label: t("new") }
          ]}
          onChange={setChosen}
        />
      </div>
      <footer className="dialog-footer">
        <Button variant="quiet" onPress={onClose}>
          {t("cancel")}
        </Button>
        <Button variant="primary" autoFocus onPress={() => onChoose(chosen)}>
          {t("edit")}
        </Button>
      </footer>
    </Dialog>
  )
}
