import { useText } from '../../shared/i18n/index.ts'
import { Card, Row, Rows, Skeleton } from '../../shared/ui/index.ts'
import { LayerProgress } from './LayerProgress.tsx'
import type { TeamOverview } from './use-team.ts'

type LayersCardProps = {
  overview: TeamOverview | undefined
  /** Also shows one row for each layer. */
  detailed?: boolean
}

/** Shows how many places are taken in the five layers below the member. */
export function LayersCard({ overview, detailed = false }: LayersCardProps) {
  const t = useText()
  return (
    <Card title={t('team.layers')}>
      <LayerProgress label={t('team.threeLayers')} occupancy={overview?.threeLayers} />
      <LayerProgress label={t('team.fiveLayers')} occupancy={overview?.fiveLayers} />
      {detailed && (
        <Rows>
          {[1, 2, 3, 4, 5].map((layer) => {
            const occupancy = overview?.layers[layer - 1]
            return (
              <Row key={layer} label={t('team.layer', { layer })}>
                {occupancy ? t('team.ofCapacity', occupancy) : <Skeleton>00 / 00</Skeleton>}
              </Row>
            )
          })}
        </Rows>
      )}
    </Card>
  )
}
