import type { DataOf } from '@lode/wire'
import { queryClient, read } from '../../shared/api/index.ts'
import { toast } from '../../shared/notify/index.ts'

export type Protection = DataOf<'account/profile'>['protection']

/** Every change answers with the state after it: that is shown at once, and what else tells of changes is read anew. */
export function showProtection(protection: Protection): void {
  queryClient.setQueryData(read('account/profile', {}).queryKey, (profile) => profile && { ...profile, protection })
  tellOfChange()
}

/** What follows a change that a sheet asked for: it is shown and said, and the sheet closes. */
export const whenChanged =
  (said: string, onClose: () => void) =>
  (protection: Protection): void => {
    showProtection(protection)
    toast.success(said)
    onClose()
  }

export function tellOfChange(): void {
  for (const name of ['account/security-log', 'account/sessions'] as const)
    void queryClient.invalidateQueries({ queryKey: [name] })
}
