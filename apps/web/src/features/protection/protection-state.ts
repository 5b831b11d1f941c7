import type { DataOf } from '@lode/wire'
import { queryClient, read } from '../../shared/api/index.ts'
import { toast } from '../../shared/notify/index.ts'

export type Protection = DataOf<'account/profile'>['protection']

/** Every change returns the new state, which is shown at once. Other data that shows changes is read again. */
export function showProtection(protection: Protection): void {
  queryClient.setQueryData(read('account/profile', {}).queryKey, (profile) => profile && { ...profile, protection })
  tellOfChange()
}

/** After a change from a sheet: shows the new state and a toast, and closes the sheet. */
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
