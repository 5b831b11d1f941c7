import type { DataOf } from '@lode/wire'
import { queryClient, read } from '../../shared/api/index.ts'
import { toast } from '../../shared/notify/index.ts'

export type Protection = DataOf<'account/profile'>['protection']

/** Shows the new protections, which every change returns, at once. Reads the security log and the sessions again. */
export function updateCachedProtection(protection: Protection): void {
  queryClient.setQueryData(read('account/profile', {}).queryKey, (profile) => profile && { ...profile, protection })
  invalidateSecurityQueries()
}

/** After a change from a sheet: shows the new state and a toast, and closes the sheet. */
export const createSuccessHandler =
  (message: string, onClose: () => void) =>
  (protection: Protection): void => {
    updateCachedProtection(protection)
    toast.success(message)
    onClose()
  }

/** Reads the protections again, after a refusal that shows that another device or a lost request has changed them. */
export const readProtectionAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: read('account/profile', {}).queryKey })

export function invalidateSecurityQueries(): void {
  for (const name of ['account/security-log', 'account/sessions'] as const)
    void queryClient.invalidateQueries({ queryKey: [name] })
}
