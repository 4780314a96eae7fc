/** The filters and the order of lists of members. */
import { Where } from "@lectern/kernel"
import type { MemberRow } from "@lectern/kernel/tables"
import type { ListMembers } from "@lectern/model/organizations"
import { folded } from "@lectern/model/schema"

/** The condition of the filters of a list of members. */
export const memberFilter = ({ role, search, sort }: ListMembers): Where.Where<MemberRow> =>
  Where.and<MemberRow>(
    role === undefined ? Where.all : Where.is("role", role === "guest" ? null : role),
    search === undefined ? Where.all : Where.contains("folded", folded(search)),
    sort === "lastSeenAt" ? Where.not(Where.isNull("lastSeenAt")) : Where.all
  )

const columns = { joinedAt: "id", lastSeenAt: "lastSeenAt", name: "folded" } as const

/** The column by which a list of members is ordered. */
export const memberOrder = ({ sort = "joinedAt" }: ListMembers): (typeof columns)[keyof typeof columns] =>
  columns[sort]
