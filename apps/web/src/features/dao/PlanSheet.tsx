import { useText } from '../../shared/i18n/index.ts'
import { Sheet } from '../../shared/ui/index.ts'
import { PlanPart } from './PlanPart.tsx'
import { usePlan } from './use-dao.ts'

/**
 * The plan in force, for visitors who have not signed in. The plan is public and can be read before a member agrees to
 * anything.
 */
export function PlanSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText()
  return (
    <Sheet open={open} onClose={onClose} title={t('dao.tabs.plan')}>
      <PlanPart query={usePlan()} />
    </Sheet>
  )
}
