import { useText } from '../../shared/i18n/index.ts'
import { Card, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { LayerProgress } from './LayerProgress.tsx'
import type { Overview } from './use-team.ts'

type LayersCardProps = {
  overview: Overview | undefined
  /** True to show each layer too. */
  detailed?: boolean
}

/** How many places of the member's own layers are taken. */
export function LayersCard({ overview, detailed = false }: LayersCardProps) {
  const t = useText()
  return (
    <Card title={t('team.layers')}>
      <LayerProgress label={t('team.threeLayers')} filling={overview?.threeLayers} />
      <LayerProgress label={t('team.fiveLayers')} filling={overview?.fiveLayers} />
      {detailed && (
        <Rows>
          {[1, 2, 3, 4, 5].map((layer) => {
            const filling = overview?.layers[layer - 1]
            return (
              <Row key={layer} label={t('team.layer', { layer })}>
                {filling ? t('team.ofCapacity', filling) : <Skeleton>00 / 00</Skeleton>}
              </Row>
            )
          })}
        </Rows>
      )}
    </Card>
  )
}
