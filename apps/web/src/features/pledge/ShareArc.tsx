import type { CSSProperties } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Skeleton } from '../../shared/ui/index.ts'
import { WhatIs } from '../explain/index.ts'
import type { NetworkShare } from './network-share.ts'
import styles from './ShareArc.module.css'

const RADIUS = 42

/** The member's network share, drawn as a partly filled ring. */
export function ShareArc({ share }: { share: NetworkShare | undefined }) {
  const t = useText()
  return (
    <div className={styles.arc}>
      <svg
        className={styles.ring}
        viewBox="0 0 100 100"
        role="img"
        aria-label={share ? t('pledge.shareOf', { share: share.text }) : t('common.loading')}
      >
        <circle className={styles.all} cx="50" cy="50" r={RADIUS} />
        {share && share.part > 0 && (
          <circle
            className={styles.own}
            cx="50"
            cy="50"
            r={RADIUS}
            pathLength={100}
            style={{ '--part': Math.max(share.part * 100, MIN_VISIBLE_PERCENT) } as CSSProperties}
          />
        )}
      </svg>
      <p className={styles.words} aria-hidden="true">
        <span className={styles.share}>{share ? share.text : <Skeleton>00.0%</Skeleton>}</span>
        <span className={styles.name}>{t('pledge.share')}</span>
      </p>
      <span className={styles.ask}>
        <WhatIs word="share" />
      </span>
    </div>
  )
}

/** A share that would be invisible is drawn as a dot. */
const MIN_VISIBLE_PERCENT = 0.5
