/** The OpenID Connect providers of an organization. Nothing is displayed without any: SAML has the empty state. */
import type { OidcProvider, Organization } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { ItemRow } from "../../components/ItemList.tsx"
import { roleName } from "../../components/RoleField.tsx"
import { Loaded } from "../../components/states.tsx"
import { useList } from "../../data/lists.ts"
import type { Resource } from "../../data/useResource.ts"
import { ShieldCheck } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { openDeleteOidc, openOidcProvider, openOidcService } from "./OidcDialogs.tsx"
import { oidcStrings } from "./oidcStrings.ts"
import { serviceStrings } from "./serviceStrings.ts"

/** The OpenID Connect providers of an organization. */
export const useOidcProviders = (organization: Organization): Resource<ReadonlyArray<OidcProvider>> =>
  useList(keyIn(organization.id, "oidc"), (query, signal) =>
    client.oidc.listOIDCProvidersInOrganizationById(
      { params: { organizationId: organization.id }, query },
      { signal }
    )
  )

/** The OpenID Connect providers of an organization. */
export const OidcProviders = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(oidcStrings)
  const service = useStrings(serviceStrings)
  const common = useStrings(commonStrings)
  const providers = useOidcProviders(organization)
  return (
    <Loaded resource={providers}>
      {(known) =>
        known.length === 0 ? null : (
          <section className="section">
            <div className="section-header">
              <h2>{t("kind")}</h2>
            </div>
            <ul className="list">
              {known.map((provider) => (
                <li key={provider.id}>
                  <ItemRow
                    icon={<ShieldCheck size={18} aria-hidden />}
                    title={provider.label}
                    details={
                      <>
                        <span>{service("joinAs", { role: roleName(provider.defaultRole, common) })}</span>
                        {provider.domains.length === 0 ? null : <span>{provider.domains.join(", ")}</span>}
                      </>
                    }
                    tags={
                      provider.status === "active" ? (
                        <span className="tag tag-success">{common("active")}</span>
                      ) : (
                        <span className="tag tag-warning">{service("incomplete")}</span>
                      )
                    }
                    controls={
                      <Button size="small" onPress={() => openOidcService(provider)}>
                        {service("service")}
                      </Button>
                    }
                    actions={[
                      {
                        id: "edit",
                        label: common("edit"),
                        run: () => openOidcProvider(organization, provider)
                      },
                      {
                        id: "delete",
                        label: common("delete"),
                        isDangerous: true,
                        run: () => openDeleteOidc(organization, provider)
                      }
                    ]}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  )
}
