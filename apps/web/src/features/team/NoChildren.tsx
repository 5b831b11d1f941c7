import { useText } from '../../shared/i18n/index.ts'
import { StateNote } from '../../shared/ui/index.ts'

const LAST_LAYER = 5

/** There is nobody below, or nobody whom this member may see. */
export function NoChildren({ layer }: { layer: number }) {
  const t = useText()
  return (
    <StateNote
      title={t('team.noChildren')}
      text={t(layer === LAST_LAYER ? 'team.noChildrenLast' : 'team.noChildrenYet')}
    />
  )
}
