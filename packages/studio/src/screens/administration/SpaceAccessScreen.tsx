/** Who has access to a space. */

import { administrationNames } from "../../navigation/administrationNames.ts"
import { useStrings } from "../../strings/strings.ts"
import { SpaceFrame } from "../imports/SpaceFrame.tsx"
import { Access } from "./Access.tsx"

/** Who has access to a space. */
const SpaceAccessScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(administrationNames)
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("people")}
      isPermitted={({ permissions }) => permissions.admin}
    >
      {(space) => <Access content={{ kind: "space", value: space }} />}
    </SpaceFrame>
  )
}

export default SpaceAccessScreen
