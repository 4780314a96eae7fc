/** The organizations in the trash that the person can restore. */
import type { DeletedOrganization } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { runChange } from "../../data/change.ts"
import {
  chooseOrganization,
  deletedOrganizationsKey,
  useDeletedOrganizations
} from "../../data/organization.ts"
import { Building2 } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { homeStrings } from "./strings.ts"

/** The organizations in the trash. Empty without any. */
export const DeletedOrganizations = () => {
  const t = useStrings(homeStrings)
  const { date } = useFormats()
  const items = useDeletedOrganizations().data?.items ?? []
  if (items.length === 0) return null
  const restore = async ({ id, title }: DeletedOrganization) => {
    const restored = await runChange({
      send: async () => {
        await client.organizations.restoreOrganization({ params: { organizationId: id } })
        return true
      },
      message: t("restored", { title }),
      failure: t("restoreFailed", { title }),
      invalidates: ["organizations", deletedOrganizationsKey]
    })
    if (restored !== undefined) chooseOrganization(id)
  }
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("deletedOrganizations")}</h2>
      </div>
      <ul className="list">
        {items.map((organization) => (
          <li key={organization.id}>
            <span className="list-icon">
              <Building2 size={18} aria-hidden />
            </span>
            <div className="list-text">
              <strong>{organization.title}</strong>
              <p className="list-detail">
                {t("restorableUntil", { time: date(organization.restorableUntil) })}
              </p>
            </div>
            <Button size="small" onPress={() => void restore(organization)}>
              {t("restore")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
