import { branches } from '@lode/wire'
import type { Ref } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { AddressTail, useIsWide } from '../../shared/ui/index.ts'
import { AreaNode } from './AreaNode.tsx'
import { ConnectingLines } from './ConnectingLines.tsx'
import styles from './NetPicture.module.css'
import { NextLayer } from './NextLayer.tsx'
import { NoChildren } from './NoChildren.tsx'
import type { Net } from './use-team.ts'

type NetPictureProps = {
  net: Net | undefined
  heading: Ref<HTMLHeadingElement>
  onWalk: (node: string) => void
}

/**
 * The shown member, the three areas below it, and the members directly below those: as marks, or in a large window as
 * members that can be opened.
 */
export function NetPicture({ net, heading, onWalk }: NetPictureProps) {
  const t = useText()
  const isWide = useIsWide()
  const shown = net?.path.at(-1)
  return (
    <div className={styles.picture}>
      <div className={styles.top}>
        <span
          className={styles.node}
          data-state={net?.activated ? 'activated' : 'member'}
          data-own={shown ? undefined : ''}
        >
          {net ? `L${net.level}` : ''}
        </span>
        <h2 ref={heading} tabIndex={-1} className={styles.name}>
          {shown ? <AddressTail value={shown.tail} /> : t('team.you')}
        </h2>
        {shown && net && (
          <p className={styles.where}>
            {t('team.place', { layer: net.path.length, branch: t(`team.branches.${shown.branch}`) })}
            <span className="visually-hidden">
              {', '}
              {t(net.activated ? 'profile.activated' : 'profile.notActivated')}
            </span>
          </p>
        )}
      </div>
      {net?.areas.every(({ head }) => head === null) ? (
        <NoChildren layer={net.path.length} />
      ) : (
        <>
          <ConnectingLines width={300} height={36} />
          <ul className={styles.areas} aria-label={t('team.areas')}>
            {branches.map((branch) => {
              const area = net?.areas.find((area) => area.branch === branch)
              return (
                <li key={branch}>
                  <AreaNode branch={branch} area={area} withDots={!isWide} onWalk={onWalk} />
                  {isWide && area?.head && <NextLayer head={area.head} onWalk={onWalk} />}
                </li>
              )
            })}
          </ul>
          {!isWide && <Legend />}
        </>
      )}
    </div>
  )
}

/** What the marks of the next layer mean. Hidden from screen readers, which do not get the marks either. */
function Legend() {
  const t = useText()
  const states = [
    { state: 'activated', text: t('profile.activated') },
    { state: 'member', text: t('profile.notActivated') },
    { state: 'open', text: t('team.nobody') },
  ]
  return (
    <p className={styles.legend} aria-hidden="true">
      {states.map(({ state, text }) => (
        <span key={state}>
          <span className={styles.dot} data-state={state} />
          {text}
        </span>
      ))}
    </p>
  )
}
