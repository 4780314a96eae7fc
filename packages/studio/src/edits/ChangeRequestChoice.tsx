/** The choice of the change request of an edit. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../components/Button.tsx"
import { RadioField } from "../components/CheckField.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { useStrings } from "../strings/strings.ts"
import { choiceStrings } from "./choiceStrings.ts"

/** Properties of {@link ChangeRequestChoice}. */
export interface ChangeRequestChoiceProps {
  /** The change requests that can be continued. */
  readonly offered: ReadonlyArray<ChangeRequest>
  readonly onChoose: (choice: ChangeRequest | "new") => void
  readonly onClose: () => void
}

/** A dialog with the change requests that can be continued, and a new one, which is chosen first. */
export const ChangeRequestChoice = ({ offered, onChoose, onClose }: ChangeRequestChoiceProps) => {
  const t = useStrings(choiceStrings)
  const [chosen, setChosen] = useState("new")
  const nameOf = ({ number, subject, status }: ChangeRequest) =>
    status === "open"
      ? t("inReview", { number, subject })
      : subject === ""
        ? t("unnamed", { number })
        : t("continue", { number, subject })
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="dialog-body">
        <RadioField
          label={t("label")}
          value={chosen}
          choices={[
            { value: "new", label: t("new") },
            ...offered.map((request) => ({ value: request.id, label: nameOf(request) }))
          ]}
          onChange={setChosen}
        />
      </div>
      <footer className="dialog-footer">
        <Button variant="quiet" onPress={onClose}>
          {t("cancel")}
        </Button>
        <Button
          variant="primary"
          autoFocus
          onPress={() => onChoose(offered.find(({ id }) => id === chosen) ?? "new")}
        >
          {t("edit")}
        </Button>
      </footer>
    </Dialog>
  )
}
