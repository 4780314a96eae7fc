/** A choice of roles. */

import type { Role } from "@lectern/client/fetch"
import { roles } from "../data/roles.ts"
import { commonStrings } from "../strings/common.ts"
import { type Translate, translate, useStrings } from "../strings/strings.ts"
import { SelectField } from "./fields.tsx"

/** A role, or `guest` for none in the organization. */
export type RoleOrGuest = Role | "guest"

/** Returns the role of a choice: null for guests. */
export const toRole = (value: RoleOrGuest): Role | null => (value === "guest" ? null : value)

type CommonKey = keyof typeof commonStrings.en

const keys = {
  read: "roleRead",
  comment: "roleComment",
  edit: "roleEdit",
  review: "roleReview",
  create: "roleCreate",
  admin: "roleAdmin",
  guest: "roleGuest"
} as const satisfies Readonly<Record<RoleOrGuest, CommonKey>>

/** Returns the name of a role; of guests if it is null. */
export const roleName = (
  role: Role | null,
  t: Translate<typeof commonStrings.en> = (key, ...values) => translate(commonStrings, key, ...values)
): string => t(keys[role ?? "guest"])

const hints = {
  read: "roleReadHint",
  comment: "roleCommentHint",
  edit: "roleEditHint",
  review: "roleReviewHint",
  create: "roleCreateHint",
  admin: "roleAdminHint",
  guest: "roleGuestHint"
} as const satisfies Readonly<Record<RoleOrGuest, CommonKey>>

/** Properties of {@link RoleField}. */
export interface RoleFieldProps {
  readonly label: string
  readonly value: Role | null
  readonly onChange: (role: Role | null) => void
  /** Whether guests, who have no role, are a choice. */
  readonly hasGuest?: boolean
  readonly description?: string
}

/** A field for a role. The chosen one is explained. */
export const RoleField = ({ label, value, onChange, hasGuest = false, description }: RoleFieldProps) => {
  const t = useStrings(commonStrings)
  const options: ReadonlyArray<RoleOrGuest> = hasGuest ? ["guest", ...roles] : roles
  return (
    <SelectField
      label={label}
      value={value ?? "guest"}
      options={options.map((role) => ({ value: role, label: t(keys[role]) }))}
      onChange={(role) => onChange(toRole(role as RoleOrGuest))}
      description={[t(hints[value ?? "guest"]), description ?? ""].join(" ").trim()}
    />
  )
}

/** Properties of {@link RoleSelect}. */
export interface RoleSelectProps extends Omit<RoleFieldProps, "description"> {
  readonly isDisabled?: boolean
}

/** A choice of roles in a list, whose label only screen readers read. */
export const RoleSelect = ({
  label,
  value,
  onChange,
  hasGuest = false,
  isDisabled = false
}: RoleSelectProps) => {
  const t = useStrings(commonStrings)
  const options: ReadonlyArray<RoleOrGuest> = hasGuest ? ["guest", ...roles] : roles
  return (
    <select
      className="input input-small"
      aria-label={label}
      disabled={isDisabled}
      value={value ?? "guest"}
      onChange={(event) => onChange(toRole(event.target.value as RoleOrGuest))}
    >
      {options.map((role) => (
        <option key={role} value={role}>
          {t(keys[role])}
        </option>
      ))}
    </select>
  )
}
