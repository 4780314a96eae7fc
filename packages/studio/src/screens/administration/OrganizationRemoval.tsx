/** The part of the settings of an organization that deletes it, once its name is typed. */
import type { Organization } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { untilUnused, writeData } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { deletedOrganizationsKey } from "../../data/organization.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { removalStrings } from "./removalStrings.ts"

const remove = async (organization: Organization): Promise<void> => {
  const params = { organizationId: organization.id }
  const named = { organization: organization.title }
  // The screens of the organization are left first: they cannot be loaded once it is in the trash.
  navigate("/")
  const rollback = writeData<ReadonlyArray<Organization>>("organizations", (all) =>
    all.filter(({ id }) => id !== organization.id)
  )
  await untilUnused(`organizations/${organization.id}`)
  const deleted = await runChange({
    apply: () => [rollback],
    send: async () => {
      await client.organizations.deleteOrganizationById({ params })
      return true
    },
    message: translate(removalStrings, "removed", named),
    failure: translate(removalStrings, "notRemoved", named),
    undo: () => client.organizations.restoreOrganization({ params }),
    invalidates: ["organizations", deletedOrganizationsKey]
  })
  if (deleted === undefined) navigate("/organization")
}

interface RemovalDialogProps {
  readonly organization: Organization
  readonly onClose: () => void
}

const RemovalDialog = ({ organization, onClose }: RemovalDialogProps) => {
  const t = useStrings(removalStrings)
  const [name, setName] = useState("")
  const named = { organization: organization.title }
  return (
    <FormDialog
      title={t("title", named)}
      submit={t("confirm")}
      isDisabled={name.trim() !== organization.title.trim()}
      onSubmit={async () => void remove(organization)}
      onClose={onClose}
    >
      {() => (
        <>
          <p>{t("effects")}</p>
          <TextField
            label={t("name")}
            description={t("nameHint", named)}
            autoFocus
            value={name}
            onChange={setName}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Deletes the organization. */
export const OrganizationRemoval = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(removalStrings)
  return (
    <section className="section settings-form">
      <h2>{t("heading")}</h2>
      <p className="muted">{t("effects")}</p>
      <div>
        <Button
          variant="danger"
          onPress={() =>
            openDialog((onClose) => <RemovalDialog organization={organization} onClose={onClose} />)
          }
        >
          {t("remove")}
        </Button>
      </div>
    </section>
  )
}
