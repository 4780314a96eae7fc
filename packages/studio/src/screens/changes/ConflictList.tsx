export const ConflictList = (_: { request: unknown; conflicts: unknown; onResolved: () => void }) => null
