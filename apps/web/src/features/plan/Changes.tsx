import type { DataOf } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { Row, Rows } from '../../shared/ui/index.ts'
import styles from './Changes.module.css'
import { factAt } from './plan-facts.ts'
import { valueText } from './value-text.ts'

type Change = DataOf<'plan/history'>['versions'][number]['changes'][number]

/** The values that one plan version changes. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <Rows>
      {changes.map((change) => (
        <ChangeRow key={change.path} change={change} />
      ))}
    </Rows>
  )
}

function ChangeRow({ change: { path, before, after } }: { change: Change }) {
  const t = useText()
  const fact = factAt(path)
  const shown = (value: string): string => (fact ? valueText(t, fact.unit, value) : value)
  return (
    <Row stacked label={fact ? fact.name(t) : path}>
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
