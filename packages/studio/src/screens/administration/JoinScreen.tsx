/** Joins an organization by an invite link. */
import { ApiError } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { chooseOrganization } from "../../data/organization.ts"
import { Building2 } from "../../icons/icons.gen.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { peopleStrings } from "./peopleStrings.ts"

interface JoinProps {
  readonly params: { readonly organization: string; readonly invite: string }
}

/** Joins an organization by an invite link. */
const JoinScreen = ({ params }: JoinProps) => {
  const t = useStrings(peopleStrings)
  const [error, setError] = useState<ApiError>()
  const [isPending, setIsPending] = useState(false)
  const join = async () => {
    setIsPending(true)
    try {
      await client.invites.joinOrganizationWithInvite({
        params: { organizationId: params.organization, inviteId: params.invite }
      })
      invalidate("organizations")
      chooseOrganization(params.organization)
      navigate("/")
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
      setIsPending(false)
    }
  }
  return (
    <ScreenFrame title={t("joinTitle")} width="text">
      <EmptyState
        icon={<Building2 />}
        title={error === undefined ? t("joinQuestion") : t("joinFailed")}
        actions={
          <Button variant="primary" isPending={isPending} onPress={() => void join()}>
            {t("join")}
          </Button>
        }
      >
        {error === undefined ? t("joinBody") : error.message}
      </EmptyState>
    </ScreenFrame>
  )
}

export default JoinScreen
