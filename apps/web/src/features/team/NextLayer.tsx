import { branches } from '@lode/wire'
import { useText } from '../../shared/i18n/index.ts'
import { AreaNode, NextLayerDots } from './AreaNode.tsx'
import { ConnectingLines } from './ConnectingLines.tsx'
import styles from './NetPicture.module.css'
import { type Area, useNetBelow } from './use-team.ts'

type Head = NonNullable<Area['head']>

/** The members directly below the head of an area. They can be opened. Until they have loaded, they are marks. */
export function NextLayer({ head, onWalk }: { head: Head; onWalk: (node: string) => void }) {
  const t = useText()
  const { data: net } = useNetBelow(head.id)
  if (!net || head.below.length === 0) return <NextLayerDots states={head.below} />
  return (
    <>
      <ConnectingLines width={90} height={24} />
      <ul className={styles.areas} aria-label={`${t('team.areas')} …${head.tail}`}>
        {branches.map((branch) => {
          const area = net.areas.find((area) => area.branch === branch)
          return (
            <li key={branch}>
              <AreaNode isSmall withDots branch={branch} area={area} onWalk={onWalk} />
            </li>
          )
        })}
      </ul>
    </>
  )
}
