/** The frame of the screens of an organization, which explains a missing permission. */
import type { Organization } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { ScreenFrame } from "../../components/Screen.tsx"
import { Loaded, NotPermitted } from "../../components/states.tsx"
import { useOrganization } from "../../data/organization.ts"

/** Properties of {@link OrganizationFrame}. */
export interface OrganizationFrameProps {
  readonly title: string
  readonly isPermitted?: (permissions: Organization["permissions"]) => boolean
  readonly actions?: (organization: Organization) => ReactNode
  readonly width?: "text" | "wide"
  readonly children: (organization: Organization) => ReactNode
}

/** The frame of a screen of an organization; for administrators by default. */
export const OrganizationFrame = ({
  title,
  isPermitted = ({ admin }) => admin,
  actions,
  width = "wide",
  children
}: OrganizationFrameProps) => {
  const resource = useOrganization()
  const { data } = resource
  const canUse = data !== undefined && isPermitted(data.permissions)
  return (
    <ScreenFrame title={title} width={width} actions={canUse ? actions?.(data) : undefined}>
      <Loaded resource={resource}>
        {(organization) =>
          organization === undefined ? null : isPermitted(organization.permissions) ? (
            children(organization)
          ) : (
            <NotPermitted />
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}
