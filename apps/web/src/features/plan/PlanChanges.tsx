import type { DataOf } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { Row, Rows } from '../../shared/ui/index.ts'
import styles from './PlanChanges.module.css'
import { findPlanValue } from './plan-values.ts'
import { valueText } from './value-text.ts'

type PlanChange = DataOf<'plan/history'>['versions'][number]['changes'][number]

/** The values that one plan version changes. */
export function PlanChanges({ changes }: { changes: readonly PlanChange[] }) {
  return (
    <Rows>
      {changes.map((change) => (
        <ChangeRow key={change.path} change={change} />
      ))}
    </Rows>
  )
}

function ChangeRow({ change: { path, before, after } }: { change: PlanChange }) {
  const t = useText()
  const planValue = findPlanValue(path)
  const shown = (value: string): string => (planValue ? valueText(t, planValue.unit, value) : value)
  return (
    <Row stacked label={planValue ? planValue.name(t) : path}>
      <span className={styles.change}>
        {before === null
          ? t('dao.changes.added', { after: shown(after ?? '') })
          : after === null
            ? t('dao.changes.removed', { before: shown(before) })
            : t('dao.changes.changed', { before: shown(before), after: shown(after) })}
      </span>
    </Row>
  )
}
