import { ChevronRight } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'
import { AddressTail } from '../../shared/ui/index.ts'
import styles from './NetPath.module.css'
import type { Net } from './use-team.ts'

type NetPathProps = { path: Net['path']; onWalk: (node: string | null) => void }

/** The path from the signed-in member down to the shown one. Each entry but the last is a button to its member. */
export function NetPath({ path, onWalk }: NetPathProps) {
  const t = useText()
  return (
    <nav aria-label={t('team.path')}>
      <ol className={styles.path}>
        <li className={styles.step}>
          {path.length === 0 ? (
            <span aria-current="location">{t('team.you')}</span>
          ) : (
            <button type="button" className={styles.link} onClick={() => onWalk(null)}>
              {t('team.you')}
            </button>
          )}
        </li>
        {path.map((node, index) => (
          <li key={node.id} className={styles.step}>
            <ChevronRight size={14} aria-hidden="true" />
            {index === path.length - 1 ? (
              <span aria-current="location">
                {t(`team.branches.${node.branch}`)} <AddressTail value={node.tail} />
              </span>
            ) : (
              <button type="button" className={styles.link} onClick={() => onWalk(node.id)}>
                {t(`team.branches.${node.branch}`)} <span className="visually-hidden">{node.tail}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
